import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import TestKit
import Testing

/// `oidcc-session-management-certification-test-plan`. Source: OpenID Connect Session Management 1.0 §2, §3.
struct SessionManagementTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench(
            """
            {"client_id": "port", "client_secret": "p", "scope": "openid",
             "redirect_uris": ["HTTPS://Client.Example:443/cb", "http://localhost:3000/cb?x"]}
            """)
        browser = Browser(bench)
    }

    /// What the script of the page computes: SHA-256 of client, origin, browser state and salt, separated by blanks. Source: §3.2.
    private func expected(_ client: String, _ origin: String, _ state: String?, _ salt: Substring) -> String {
        let text = "\(client) \(origin) \(state ?? "") \(salt)"
        return Hex.encode(Digest.sha256(Array(text.utf8))) + "." + salt
    }

    @Test(arguments: [
        ("web", Cast.callback, "https://client.example"),
        ("port", "HTTPS://Client.Example:443/cb", "https://client.example"),
        ("port", "http://localhost:3000/cb?x", "http://localhost:3000"),
    ])
    func `oidcc-session-management-rp-initiated-logout`(client: String, uri: String, origin: String) throws {
        let answer = browser.authorize(["client_id": client, "redirect_uri": uri]).answer
        let state = try #require(answer["session_state"])
        let salt = try #require(state.split(separator: ".").last)
        #expect(state == expected(client, origin, browser.cookies["mounted.opbs"], salt))

        let second = browser.open(Cast.request(["client_id": client, "redirect_uri": uri, "prompt": "none"]))
        let other = try #require(second.answer["session_state"])
        #expect(other != state, "each has a salt of its own")
        _ = browser.submit(browser.open("/logout").forms[0])
        #expect(state != expected(client, origin, browser.cookies["mounted.opbs"], salt), "changed")
    }

    @Test func `a login as the same user changes nothing, as another one it does`() throws {
        _ = browser.authorize()
        let before = browser.cookies["mounted.opbs"]
        _ = browser.click("a-1", on: browser.open(Cast.request(["prompt": "login"])))
        #expect(browser.cookies["mounted.opbs"] == before)
        _ = browser.click("b-2", on: browser.open(Cast.request(["prompt": "login"])))
        #expect(browser.cookies["mounted.opbs"] != before)
    }

    @Test func `the state is for OpenID, and for places that have an origin`() {
        #expect(browser.authorize(["scope": "email"]).answer["session_state"] == nil)
        let app = browser.authorize([
            "client_id": "app", "redirect_uri": "com.example.app:/cb",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        ])
        #expect(app.answer["code"] != nil && app.answer["session_state"] == nil)
    }

    @Test func `scripts may read the state and not the session`() throws {
        let login = browser.open(Cast.request())
        let form = try #require(login.forms.first)
        let response = bench.form(
            "/login",
            ["interaction": form["interaction"] ?? "", "csrf": form["csrf"] ?? "", "subject": "a-1"],
            headers: ["Cookie": "mounted.browser=\(browser.cookies["mounted.browser"] ?? "")"])
        let lines = response.headers.values(of: "Set-Cookie")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("mounted.session=") && lines[0].contains("; HttpOnly"))
        #expect(lines[1].hasPrefix("mounted.opbs=") && !lines[1].contains("HttpOnly"))
        #expect(lines.allSatisfy { $0.contains("; Max-Age=28800; ") && $0.hasSuffix("SameSite=Lax") })
    }

    @Test func `the page may stand in any frame and runs its one script`() throws {
        let page = browser.open("/checksession")
        let script = try #require(page.page.between("<script>", "</script>"))
        let digest = Data(Digest.sha256(Array(script.utf8))).base64EncodedString()
        let policy = page.response.headers["Content-Security-Policy"] ?? ""
        #expect(policy == "default-src 'none'; script-src 'sha256-\(digest)'; base-uri 'none'")
        #expect(page.response.headers["X-Frame-Options"] == nil)
        #expect(script.contains("\"mounted.opbs=\""))
    }
}
