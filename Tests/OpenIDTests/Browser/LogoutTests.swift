import Crypto
import Essentials
import HTTP
import JOSE
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

/// The checks of the logout plans, under their own names. Source: the OpenID Foundation's conformance suite; OpenID Connect RP-Initiated, Front-Channel and
/// Back-Channel Logout 1.0.
struct LogoutTests {
    private static let bye = "https://client.example/bye"

    let bench: TestBench<MountedServer>
    let browser: Browser
    let tray = CallbackTray()

    init() throws {
        bench = try Cast.bench(
            """
            {"client_id": "back", "client_secret": "b", "scope": "openid", "redirect_uris": ["\(Cast.callback)"],
             "backchannel_logout_uri": "https://back.example/logout?x=1", "vendor": {"delete_tokens_on_logout": true}}
            """,
            """
            {"client_id": "front", "client_secret": "f", "scope": "openid", "redirect_uris": ["\(Cast.callback)"],
             "frontchannel_logout_uri": "https://front.example/logout?a=b&c=d"}
            """)
        browser = Browser(bench)
    }

    private func hint(_ client: String = "web") throws -> String {
        try bench.redeem(browser.authorize().answer["code"])["id_token"]?.string ?? ""
    }

    private var isLoggedIn: Bool { browser.open(Cast.request(["prompt": "none"])).answer["code"] != nil }

    @Test func `oidcc-rp-initiated-logout`() throws {
        let hint = try hint()
        let back = browser.open(
            "/logout", ["id_token_hint": hint, "post_logout_redirect_uri": Self.bye, "state": "st"])
        #expect(back.status == 303 && back.url == Self.bye + "?state=st")
        #expect(!isLoggedIn && browser.cookies.keys.allSatisfy { $0 == "mounted.browser" })
        #expect(bench.reports.lines == [])
    }

    @Test func `the logout endpoint takes a POST as well, and a hint that has expired`() throws {
        let hint = try hint()
        try bench.clock.advance(seconds: 4000)
        let back = browser.post("/logout", ["id_token_hint": hint, "post_logout_redirect_uri": Self.bye])
        #expect(back.url == Self.bye && !isLoggedIn)
    }

    @Test func `oidcc-rp-initiated-logout-bad-post-logout-redirect-uri`() throws {
        let visit = browser.open(
            "/logout", ["id_token_hint": try hint(), "post_logout_redirect_uri": "https://evil.example/"])
        #expect(visit.status == 400 && visit.response.headers["Location"] == nil)
        #expect(isLoggedIn && bench.misshapenExplanations == [])
    }

    @Test func `oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri`() throws {
        let visit = browser.open(
            "/logout", ["id_token_hint": try hint(), "post_logout_redirect_uri": Self.bye + "?foo=bar"])
        #expect(visit.status == 400)
    }

    @Test func `oidcc-rp-initiated-logout-modified-id-token-hint`() throws {
        let hint = try hint()
        let parts = hint.split(separator: ".").map(String.init)
        let claims = try bench.claims(.string(hint)).object ?? [:]
        let forged = JSONValue.object(claims.merging(["sub": "b-2"]) { $1 })
        let token = [parts[0], Base64URL.encode(forged.bytes), parts[2]].joined(separator: ".")
        let visit = browser.open("/logout", ["id_token_hint": token, "post_logout_redirect_uri": Self.bye])
        #expect(visit.status == 400 && visit.response.headers["Location"] == nil && isLoggedIn)
    }

    @Test func `oidcc-rp-initiated-logout-bad-id-token-hint`() throws {
        _ = try hint()
        for bad in ["nonsense", "a.b.c", "bm90.anNvbg.eA"] {
            let visit = browser.open("/logout", ["id_token_hint": bad, "post_logout_redirect_uri": Self.bye])
            #expect(visit.status == 400)
        }
        #expect(isLoggedIn && bench.misshapenExplanations == [])
    }

    @Test func `oidcc-rp-initiated-logout-no-id-token-hint`() throws {
        _ = try hint()
        let question = browser.open("/logout", ["post_logout_redirect_uri": Self.bye, "state": "st"])
        #expect(question.heading == "Log out?" && question.page.contains("Alice Liddell"))
        let done = browser.submit(question.forms[0])
        #expect(done.status == 200 && done.heading == "Logged out" && !done.page.contains(Self.bye))
        #expect(!isLoggedIn)
    }

    @Test func `with client_id alone the user is asked, and then goes back`() throws {
        _ = try hint()
        let question = browser.open(
            "/logout", ["client_id": "web", "post_logout_redirect_uri": Self.bye, "state": "s"])
        #expect(question.heading == "Log out?" && question.page.contains("Web Shop") && isLoggedIn)
        #expect(browser.submit(question.forms[0]).url == Self.bye + "?state=s")
    }

    @Test func `oidcc-rp-initiated-logout-no-params`() throws {
        _ = try hint()
        let question = browser.open("/logout")
        #expect(isLoggedIn)
        #expect(browser.submit(question.forms[0]).heading == "Logged out")
        #expect(!isLoggedIn)
    }

    @Test func `oidcc-rp-initiated-logout-only-state`() throws {
        _ = try hint()
        let question = browser.open("/logout", ["state": "st"])
        #expect(browser.submit(question.forms[0]).heading == "Logged out")
        #expect(!isLoggedIn)
    }

    @Test func `oidcc-rp-initiated-logout-no-post-logout-redirect-uri`() throws {
        let done = browser.open("/logout", ["id_token_hint": try hint(), "state": "st"])
        #expect(done.status == 200 && done.heading == "Logged out" && !isLoggedIn)
    }

    // Token Server documentation, “End session”
    @Test func `without a word a browser goes where the client says`() throws {
        let home = "https://client.example/home"
        let bench = try Cast.bench(
            """
            {"client_id": "homely", "client_secret": "h", "scope": "openid", "redirect_uris": ["\(Cast.callback)"],
             "post_logout_redirect_url": "\(home)", "post_logout_redirect_uris": ["\(Self.bye)"]}
            """)
        let browser = Browser(bench)
        for (asked, expected) in [(nil, home), (home, home), (Self.bye, Self.bye)] {
            _ = browser.authorize(["client_id": "homely", "scope": "openid"])
            let question = browser.open(
                "/logout?client_id=homely" + (asked.map { "&post_logout_redirect_uri=" + $0 } ?? ""))
            #expect(browser.submit(try #require(question.forms.first)).url == expected)
        }
    }

    @Test func `oidcc-rp-initiated-logout-no-state`() throws {
        let back = browser.open(
            "/logout", ["id_token_hint": try hint(), "post_logout_redirect_uri": Self.bye])
        #expect(back.url == Self.bye)
    }

    @Test func `a hint about somebody else asks first`() throws {
        let hint = try hint()
        _ = browser.click("b-2", on: browser.open(Cast.request(["prompt": "login"])))
        #expect(browser.open("/logout", ["id_token_hint": hint]).page.contains("Bob"))
        #expect(isLoggedIn)
    }

    @Test func `the client must be the hint's, and known`() throws {
        let hint = try hint()
        #expect(browser.open("/logout", ["id_token_hint": hint, "client_id": "app"]).status == 400)
        #expect(browser.open("/logout", ["client_id": "nobody"]).status == 400)
        #expect(browser.open("/logout?state=1&state=2").status == 400)
        #expect(isLoggedIn)
    }

    @Test func `who is not logged in goes straight back`() throws {
        let hint = try hint()
        browser.forgetCookies()
        let back = browser.open("/logout", ["id_token_hint": hint, "post_logout_redirect_uri": Self.bye])
        #expect(back.url == Self.bye)
        #expect(browser.open("/logout").heading == "Logged out")
    }

    @Test func `oidcc-backchannel-rp-initiated-logout`() throws {
        try MountedServer.$callbacks.withValue(tray.callbacks) {
            _ = browser.authorize(["client_id": "back"])
            let hint = try hint()
            let sid = try bench.claims(.string(hint))["sid"]
            _ = browser.open("/logout", ["id_token_hint": hint])

            let call = try #require(tray.calls.first)
            #expect(
                tray.calls.count == 1 && call.method == .post && call.url == "https://back.example/logout?x=1"
            )
            #expect(call.headers["Content-Type"] == "application/x-www-form-urlencoded")
            let form = Form(bytes: call.body)
            #expect(form.pairs.map(\.name) == ["logout_token"])
            try check(form["logout_token"] ?? "", sid)
        }
    }

    private func check(_ token: String, _ sid: JSONValue?) throws {
        let keys = try JSONDecoder().decode(JWKS.self, from: Data(bench.get("/oauth/jwks").bytes))
        let verified = try JWT.verify(token, keys: keys.keys, at: bench.clock.now)
        #expect(verified.header.type == "logout+jwt" && verified.header.keyID != nil)
        let claims = try bench.claims(.string(token))
        #expect(claims["iss"] == .string(bench.issuer) && claims["aud"] == "back" && claims["sub"] == "a-1")
        #expect(claims["sid"] == sid && claims["jti"]?.string?.isEmpty == false && claims["nonce"] == nil)
        let lifetime = (claims["exp"]?.integer ?? 0) - (claims["iat"]?.integer ?? 0)
        #expect((1...120).contains(lifetime))
        #expect(claims["events"] == ["http://schemas.openid.net/event/backchannel-logout": [:]])
    }

    @Test func `tokens of the session die with it where the client says so`() throws {
        try MountedServer.$callbacks.withValue(tray.callbacks) {
            _ = browser.authorize(["client_id": "back"])
            _ = browser.open("/logout", ["id_token_hint": try hint()])
            let grants = try bench.world.database.read { db in try bench.server.grants.all(in: db) }
            #expect(grants.map(\.clientID) == ["back", "web"])
            #expect(grants.map(\.end?.reason) == [.loggedOut, nil])
        }
    }

    @Test func `another user at the same browser ends the session before, and its clients hear of it`() throws
    {
        MountedServer.$callbacks.withValue(tray.callbacks) {
            _ = browser.authorize(["client_id": "back"])
            _ = browser.click("b-2", on: browser.open(Cast.request(["prompt": "login"])))
            #expect(tray.calls.map(\.purpose) == ["back-channel logout of client back"])
        }
    }

    @Test func `a session is ended without a browser, too`() throws {
        try MountedServer.$callbacks.withValue(tray.callbacks) {
            _ = browser.authorize(["client_id": "back"])
            let session = try bench.world.database.read { db in
                try bench.server.sessions.all(of: "a-1", in: db).first
            }
            try bench.server.endSession(try #require(session).id)
            try bench.server.endSession("unknown")
            #expect(tray.calls.count == 1 && !isLoggedIn)
        }
    }

    @Test func `oidcc-frontchannel-rp-initiated-logout`() throws {
        _ = browser.authorize(["client_id": "front"])
        let hint = try hint()
        let sid = try bench.claims(.string(hint))["sid"]?.string ?? ""
        let page = browser.open(
            "/logout", ["id_token_hint": hint, "post_logout_redirect_uri": Self.bye, "state": "a&b"])

        #expect(page.status == 200 && page.heading == "Logged out" && !isLoggedIn)
        let frames = page.page.components(between: "<iframe src=\"", "\"")
        let issuer = TestBench<MountedServer>.escaped(bench.issuer).replacing("%2E", with: ".")
        #expect(
            frames == [
                "https://front.example/logout?a=b&amp;c=d&amp;iss=\(issuer)&amp;sid=\(sid)"
            ])
        #expect(page.response.headers["Content-Security-Policy"]?.contains("frame-src http: https:") == true)
        #expect(page.page.contains("<a href=\"\(Self.bye)?state=a%26b\">"))
        #expect(page.page.contains("content=\"2;url=\(Self.bye)?state=a%26b\""))
    }
}
