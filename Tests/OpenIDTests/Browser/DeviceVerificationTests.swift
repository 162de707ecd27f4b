import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

/// Source: RFC 8628 §3.3, §5.1, §5.4.
struct DeviceVerificationTests {
    private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench(
            """
            {"client_id": "tv", "client_name": "Tele<b>vision", "token_endpoint_auth_method": "none",
             "scope": "openid email", "grant_types": ["\(Self.grantType)"]}
            """)
        browser = Browser(bench)
    }

    private func start() throws -> (device: String, user: String, complete: String) {
        let answer = try JSONValue(
            parsing: bench.form("/device_authorization", ["client_id": "tv", "scope": "openid email"]).bytes)
        return (
            answer["device_code"]?.string ?? "", answer["user_code"]?.string ?? "",
            answer["verification_uri_complete"]?.string ?? ""
        )
    }

    private func poll(_ device: String) throws -> JSONValue {
        try bench.clock.advance(seconds: 6)
        let fields: KeyValuePairs = ["grant_type": Self.grantType, "device_code": device, "client_id": "tv"]
        return try JSONValue(parsing: bench.form("/token", fields).bytes)
    }

    private func type(_ code: String) -> Visit {
        let page = browser.open("/device_authorization/verification")
        return browser.submit(page.forms[0], ["user_code": code])
    }

    // RFC 8628 §3.5.
    @Test func `Cancel on the login page sends the device away`() throws {
        let (device, user, _) = try start()
        let login = type(user)
        #expect(login.heading == "Log in")
        let gone = browser.submit(try #require(login.forms.last), pressing: ("decision", "cancel"))
        #expect(gone.heading == "Not connected")
        #expect(try poll(device)["error"] == "access_denied")
    }

    @Test func `claims that are typed at the login reach the tokens of the device`() throws {
        let (device, user, _) = try start()
        let form = try #require(type(user).forms.first { $0["person"] != nil })
        let question = browser.submit(
            form, ["person": "alice"], pressing: ("claims", #"{"email": "tv@example.org"}"#))
        #expect(browser.decide("allow", on: question).heading == "Connected")
        #expect(try bench.userinfo(poll(device))["email"] == "tv@example.org")
    }

    @Test func `a code that is typed, a login and a yes let the device in`() throws {
        let (device, user, _) = try start()
        #expect(try poll(device)["error"] == "authorization_pending")

        let question = browser.logIn("alice", "wonderland", on: type(user))
        #expect(question.heading == "Connect Tele&lt;b&gt;vision?")
        #expect(question.page.contains("<code>\(user)</code>") && question.page.contains("Alice Liddell"))
        #expect(try poll(device)["error"] == "authorization_pending", "nobody has said yes")
        #expect(browser.decide("allow", on: question).heading == "Connected")

        let tokens = try poll(device)
        #expect(try bench.userinfo(tokens)["email"] == "alice@example.com")
        let claims = try bench.claims(tokens["id_token"])
        #expect(claims["aud"] == "tv" && claims["amr"] == ["pwd"] && claims["sid"] != nil)
    }

    @Test func `case, blanks and dashes do not count`() throws {
        let user = try start().user
        _ = browser.authorize()
        for typed in [
            user.lowercased(), user.replacing("-", with: ""), " " + user.replacing("-", with: " - ") + "\t",
        ] {
            #expect(type(typed).heading == "Connect Tele&lt;b&gt;vision?")
        }
    }

    @Test func `the complete address fills the form in, and asks all the same`() throws {
        let (device, user, complete) = try start()
        let page = browser.open(complete)
        #expect(page.forms.first?["user_code"] == user)

        let login = browser.submit(page.forms[0])
        #expect(login.heading == "Log in" && login.page.contains("Tele&lt;b&gt;vision"))
        #expect(browser.click("a-1", on: login).forms.first?.buttons.count == 2)
        #expect(try poll(device)["error"] == "authorization_pending")
    }

    @Test func `a no sends the device away`() throws {
        let (device, user, _) = try start()
        _ = browser.authorize()
        #expect(browser.decide("deny", on: type(user)).heading == "Not connected")
        #expect(try poll(device)["error"] == "access_denied")
    }

    @Test func `a code is decided once, and only while it lives`() throws {
        let (_, user, _) = try start()
        _ = browser.authorize()
        let question = type(user)
        _ = browser.decide("allow", on: question)
        #expect(browser.decide("deny", on: question).status == 409)
        #expect(type(user).status == 409)

        let late = type(try start().user)
        try bench.clock.advance(seconds: 600)
        #expect(browser.open(late.url).heading == "That code has expired")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `five wrong codes a minute are answered, then even the right one waits`() throws {
        let user = try start().user
        for left in [4, 3, 2, 1, 0] {
            let page = type("BCDF-BCDF")
            let told = left == 1 ? "1 more wrong code is" : "\(left) more wrong codes are"
            #expect(page.status == 400 && page.page.contains(told))
            #expect(page.forms.first?["user_code"] == "BCDF-BCDF")
        }
        #expect(type(user).status == 429)
        #expect(bench.explanation?.contains("127.0.0.1") == true)
        try bench.clock.advance(seconds: 60)
        #expect(type(user).heading == "Log in")
    }

    @Test func `an empty or monstrous code costs nothing`() {
        #expect(type("").status == 400)
        #expect(type(" - ").heading == "Connect a device")
        #expect(
            browser.post(
                "/device_authorization/verification", ["user_code": String(repeating: "B", count: 60_000)]
            ).status == 400)
        #expect(
            browser.post(
                "/device_authorization/verification", ["user_code": String(repeating: "B", count: 70_000)]
            ).status == 413)
    }

    @Test func `an app approves a device without a browser`() throws {
        let (device, user, _) = try start()
        try bench.server.approveDevice(
            user.lowercased(), DeviceApproval(subject: "b-2", amr: ["pin"]), from: "10.0.2.2")
        #expect(try bench.userinfo(poll(device))["sub"] == "b-2")

        // Token Server documentation, in-app approval.
        for (code, error, status) in [
            (user, "already_authorized", 409), ("NOPE", "invalid_request", 400), ("", "invalid_request", 400),
        ] {
            let refusal = #expect(throws: UserCodeRefusal.self) {
                try bench.server.approveDevice(code, DeviceApproval(subject: "b-2"), from: "10.0.2.2")
            }
            #expect(refusal?.wire.error == error && refusal?.wire.status.code == status)
        }
        let late = try start().user
        try bench.clock.advance(seconds: 600)
        let refusal = #expect(throws: UserCodeRefusal.self) {
            try bench.server.approveDevice(late, DeviceApproval(subject: "b-2"), from: "10.0.2.2")
        }
        #expect(refusal?.wire.error == "expired_token" && refusal?.wire.status == 400)
    }

    @Test func `who logs out between the page and the answer connects nothing`() throws {
        let (device, user, _) = try start()
        _ = browser.authorize()
        let question = type(user)
        let logout = browser.open("/logout")
        _ = browser.submit(logout.forms[0])

        #expect(browser.decide("allow", on: question).heading == "You are not logged in")
        #expect(try poll(device)["error"] == "authorization_pending")
    }
}
