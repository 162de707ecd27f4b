import HTTP
import Testing

@testable import Upstream

/// What is kept of an exchange with somebody's real service has no secret in it, and is the same otherwise.
struct SecretMaskTests {
    private let mask = SecretMask()

    private func json(_ text: String, inRequest: Bool = false) -> String {
        String(
            decoding: mask.masked(Array(text.utf8), "application/json", inRequest: inRequest), as: UTF8.self)
    }

    @Test func `a secret has one mask, and another secret another`() {
        #expect(mask.mask("hunter2") == mask.mask("hunter2"))
        #expect(mask.mask("hunter2") != mask.mask("hunter3"))
        #expect(mask.mask("hunter2").hasPrefix("masked-"))
        #expect(mask.mask("") == "")
    }

    @Test func `members of JSON by their names, at any depth and in a text that is cut`() {
        let hidden = mask.mask("s")
        #expect(
            json(#"{"a":[{"access_token":"s","expires_in":3}],"name":"s"}"#)
                == #"{"a":[{"access_token":"\#(hidden)","expires_in":3}],"name":"s"}"#)
        #expect(json(#"{"password" : "s", "x": 1, "#) == #"{"password" : "\#(hidden)", "x": 1, "#)
        #expect(!json(#"{"password":"se\"cret"}"#).contains("cret"))
        #expect(!json(#"{"password":"secr"#).contains("secr"))
    }

    @Test func `numbers and lists under the name of a secret, however the name is written`() {
        #expect(json(#"{"pin":1234,"n":1234}"#) == #"{"pin":"\#(mask.mask("1234"))","n":1234}"#)
        #expect(json(#"{"otp":-1.5e3}"#) == #"{"otp":"\#(mask.mask("-1.5e3"))"}"#)
        let hidden = mask.mask("s")
        #expect(
            json(#"{"token":["s",["s"],{"id":"a"}],"b":["s"]}"#)
                == #"{"token":["\#(hidden)",["\#(hidden)"],{"id":"a"}],"b":["s"]}"#)
        #expect(json(#"{"pass\u0077ord":"s"}"#) == #"{"pass\u0077ord":"\#(hidden)"}"#)
    }

    @Test func `what only looks like a mask is masked`() {
        #expect(mask.mask("masked-hunter2") != "masked-hunter2")
        #expect(mask.mask(mask.mask("s")) == mask.mask("s"))
    }

    @Test func `a cookie without a name is masked`() {
        #expect(mask.masked(["Cookie": "s; a=s"])["Cookie"] == "\(mask.mask("s")); a=\(mask.mask("s"))")
        #expect(mask.masked(["Set-Cookie": "s; Path=/"])["Set-Cookie"] == "\(mask.mask("s")); Path=/")
    }

    @Test func `a code is a secret in a request, and an error's name in an answer`() {
        #expect(json(#"{"code":"unauthorized"}"#) == #"{"code":"unauthorized"}"#)
        #expect(json(#"{"code":"123456"}"#, inRequest: true) == #"{"code":"\#(mask.mask("123456"))"}"#)
    }

    @Test func `parameters of a query and a fragment`() {
        #expect(
            mask.masked(target: "/cb?code=s&state=1#id_token=s")
                == "/cb?code=\(mask.mask("s"))&state=1#id_token=\(mask.mask("s"))")
        #expect(mask.masked(target: "/plain") == "/plain")
    }

    @Test func `inputs of a page, however they are written`() {
        func page(_ text: String) -> String {
            String(decoding: mask.masked(Array(text.utf8), "text/html", inRequest: false), as: UTF8.self)
        }
        let hidden = mask.mask("s")
        #expect(
            page("<p><input name='token' value=\"s\"></p>")
                == "<p><input name='token' value=\"\(hidden)\"></p>")
        #expect(page("<INPUT VALUE=s NAME=id_token>") == "<INPUT value=\(hidden) NAME=id_token>")
        #expect(page("<input name=q value=s><input name=pin") == "<input name=q value=s><input name=pin")
    }

    @Test func `tokens where they stand`() {
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."
        func text(_ text: String) -> String {
            String(decoding: mask.masked(Array(text.utf8), "text/plain", inRequest: false), as: UTF8.self)
        }
        #expect(text("a=\(token)c2ln, b") == "a=\(mask.mask(token + "c2ln")), b")
        #expect(text("eyJhbGc.\(token)") == "eyJhbGc.\(mask.mask(token))")
        #expect(text("eyJ.eyJ eyJhbGciOiJub25lIn0.e") == "eyJ.eyJ eyJhbGciOiJub25lIn0.e")
    }

    @Test(arguments: [
        "access_token", "new_pin", "newPin", "current-pin", "X-Refresh-Token", "Api-Key", "user[password]",
        "password_confirmation", "passwd", "activationCode", "recovery_codes", "backupCodes", "puks",
        "tokenSecret",
        "applicationSecret", "clientSecretShare", "regOTT", "webOTT", "proximityOtp", "quick_code",
        "session_id",
        "samlResponse", "id_token_hint", "code_verifier", "login_ticket",
    ])
    func `a name ends as that of a secret, however it is written`(name: String) {
        #expect(mask.isSecret(name.utf8, inRequest: false))
    }

    @Test(arguments: [
        "token_type", "token_endpoint", "expires_in", "error_code", "country_code", "code",
        "client_secret_expires_at",
        "passcode_id", "min_password_length", "pinned", "name", "keys", "",
    ])
    func `another name is none`(name: String) {
        #expect(!mask.isSecret(name.utf8, inRequest: false))
    }

    private func text(_ text: String, _ type: String? = nil, inRequest: Bool = true) -> String {
        String(decoding: mask.masked(Array(text.utf8), type, inRequest: inRequest), as: UTF8.self)
    }

    @Test(arguments: [
        "text/plain;charset=UTF-8", "application/octet-stream", "multipart/form-data", "application/json",
        nil,
    ])
    func `a text tells by itself what it is`(type: String?) {
        let hidden = mask.mask("s")
        #expect(text(#"{"password":"s"}"#, type) == #"{"password":"\#(hidden)"}"#)
        #expect(text("name=Jo&password=s", type) == "name=Jo&password=\(hidden)")
        #expect(
            text(#"42["auth",{"password":"s"}]"#, type) == #"42["auth",{"password":"\#(hidden)"}]"#)
        #expect(
            text("<a><x:password> s\n</x:password><code>1</code></a>", type, inRequest: false)
                == "<a><x:password> \(hidden)\n</x:password><code>1</code></a>")
    }

    @Test func `bytes that are no UTF-8 hide nothing, and stay`() {
        for (before, after) in [(#"{"name":"Jos"#, #"","password":"s"}"#), ("name=Jos", "&password=s")] {
            let masked = mask.masked(Array(before.utf8) + [0xE9] + Array(after.utf8), nil, inRequest: true)
            let end = after.replacing("\"s\"", with: "\"\(mask.mask("s"))\"").replacing(
                "=s", with: "=\(mask.mask("s"))")
            #expect(masked == Array(before.utf8) + [0xE9] + Array(end.utf8))
        }
    }

    // RFC 7578 §4.2.
    @Test func `fields of a form in parts`() {
        func form(_ secret: String) -> String {
            [
                "--x", #"Content-Disposition: form-data; name="user""#, "", "s", "--x",
                #"Content-Disposition: form-data; name="password""#, "", secret, "--x",
                #"Content-Disposition: form-data; name="more"; filename="a.json""#,
                "Content-Type: application/json", "", #"{"pin":"\#(secret)"}"#, "--x--", "",
            ].joined(separator: "\r\n")
        }
        #expect(text(form("s"), "multipart/form-data; boundary=x") == form(mask.mask("s")))
        #expect(text(form("s"), #"multipart/form-data; boundary="x""#) == form(mask.mask("s")))
    }

    @Test func `the value of an object with the name of a secret`() {
        let hidden = mask.mask("s")
        #expect(
            json(#"{"password":{"name":"password","value":"s","min_length":8},"value":"s"}"#)
                == #"{"password":{"name":"password","value":"\#(hidden)","min_length":8},"value":"s"}"#)
    }

    /// A place for a code in an address, wherever that stands. Go's encoding/json writes `&` as `\u0026`.
    @Test(arguments: [
        #"{"redirect_url":"https://app.example/cb?state=x\u0026code=SECRET"}"#,
        #"{"redirect_url":"https://app/cb#state=x\u0026access_token=SECRET\u0026a=1"}"#,
        #"{"redirect_url":"myapp://cb?code=SECRET"}"#, #"{"redirect_url":"/cb?code=SECRET"}"#,
        #"{"html":"<a href=\"https://a/cb?code=SECRET\">"}"#,
        #"<a href="https://a/cb?x=1&amp;code=SECRET&amp;y=2">"#, "<a href='/cb?code=SECRET'>",
        "See https://a/cb?code=SECRET for more", "?a=1;access_token=SECRET", "?pass%77ord=SECRET&a=1",
        "?user%5Bpassword%5D=SECRET", "?return_to=https%3A%2F%2Fa%2Fcb%3Fcode%3DSECRET%26a%3D1&b=2",
        "?return_to=https%253A%252F%252Fa%252Fcb%253Fcode%253DSECRET%2526a%253D1",
    ])
    func `parameters of addresses, wherever they stand`(_ place: String) {
        let expected = place.replacing("SECRET", with: mask.mask("s+/=s"))
        for secret in ["s%2B%2F%3Ds", #"s\u002B\/=s"#] {
            let isNested = place.contains("%3F") || place.contains("%253F")
            if isNested || place.hasPrefix("?") || place.hasPrefix("<"), secret.contains("\\") { continue }
            #expect(text(place.replacing("SECRET", with: secret), inRequest: false) == expected)
        }
        let target = place.replacing("SECRET", with: "s%2B%2F%3Ds")
        if place.hasPrefix("?") { #expect(mask.masked(target: target) == expected) }
        #expect(mask.masked(["X": target])["X"] == expected)
    }

    @Test func `fields with the name of a secret`() {
        let masked = mask.masked(["X-Access-Token": "s", "Api-Key": "s", "X-Token-Type": "s"])
        #expect(masked["X-Access-Token"] == mask.mask("s") && masked["Api-Key"] == mask.mask("s"))
        #expect(masked["X-Token-Type"] == "s")
    }

    // A pattern that looks for each end anew takes hours.
    @Test(arguments: [
        "eyJ", "<input ", "<input name=pin value='", ";href=//", "value=\"", "\"pin\":", "[", "?", "&pin",
        "%25",
        "<pin ", "<pin>", "?a%3Fb", "\\u0026", "{\"pin\":",
    ])
    func `a megabyte of beginnings without an end stays as it is`(_ beginning: String) {
        let text = Array(String(repeating: beginning, count: (1 << 20) / beginning.utf8.count).utf8)
        for type in ["text/html", "application/json", "text/plain"] {
            #expect(mask.masked(text, type, inRequest: false) == text, "\(type)")
        }
        #expect(PagePaths(theirs: "", ours: "/hanko").rewritten(text) == text)
    }

    @Test func `fields with credentials and cookies`() {
        var headers: Headers = ["Authorization": "Bearer s", "Cookie": "a=s; b=t", "Accept": "x/y"]
        headers.add("Set-Cookie", "a=s; Path=/; HttpOnly")
        let masked = mask.masked(headers)
        #expect(masked["Authorization"] == "Bearer \(mask.mask("s"))")
        #expect(masked["Cookie"] == "a=\(mask.mask("s")); b=\(mask.mask("t"))")
        #expect(masked["Set-Cookie"] == "a=\(mask.mask("s")); Path=/; HttpOnly")
        #expect(masked["Accept"] == "x/y")
    }
}
