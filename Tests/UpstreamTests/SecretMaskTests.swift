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

    // A pattern that looks for each end anew takes hours.
    @Test(arguments: [
        "eyJ", "<input ", "<input name=pin value='", ";href=//", "value=\"", "\"pin\":", "[",
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
