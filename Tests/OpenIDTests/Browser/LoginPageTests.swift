import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

/// Source: OpenID Connect Core 1.0 §3.1.2.3.
struct LoginPageTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench(
            """
            {"client_id": "shown", "client_secret": "x", "client_name": "A & B <i>Ltd</i>", "scope": "openid",
             "redirect_uris": ["\(Cast.callback)"], "logo_uri": "https://client.example/logo.png",
             "policy_uri": "https://client.example/policy", "tos_uri": "https://client.example/tos",
             "client_uri": "javascript:alert(1)"}
            """)
        browser = Browser(bench)
    }

    // Names of §20.3
    @Test func `oidcc-registration-logo-uri, oidcc-registration-policy-uri, oidcc-registration-tos-uri`() {
        let page = browser.open(Cast.request(["client_id": "shown"])).page
        #expect(page.contains("src=\"https://client.example/logo.png\""))
        #expect(page.contains("href=\"https://client.example/policy\""))
        #expect(page.contains("href=\"https://client.example/tos\""))
        #expect(page.contains("development only"))
    }

    @Test func `what a client or a user is called never becomes markup`() {
        let page = browser.open(Cast.request(["client_id": "shown", "login_hint": "\"><script>x</script>"]))
            .page
        #expect(page.contains("A &amp; B &lt;i&gt;Ltd&lt;/i&gt;") && page.contains("Bob &lt;b&gt;Builder"))
        #expect(!page.contains("<script") && !page.contains("javascript:"))
    }

    @Test func `the pages say what a browser may do with them`() throws {
        let headers = browser.open(Cast.request()).response.headers
        #expect(headers["Cache-Control"] == "no-store" && headers["Referrer-Policy"] == "same-origin")
        let policy = try #require(headers["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("script-src") && !policy.contains("form-action"))
        #expect(headers["X-Frame-Options"] == "DENY")
    }

    @Test func `each user has a button with a line of who they are`() {
        let form = browser.open(Cast.request()).forms[0]
        #expect(form.buttons.map(\.value) == ["a-1", "b-2"])
        #expect(form.buttons.map(\.text) == ["Alice Liddell", "Bob &lt;b&gt;Builder&lt;/b&gt;"])
    }

    @Test(arguments: [
        ("alice", "Wonderland", "case and spaces"), ("alice", "", "case and spaces"), ("bob", "x", "button"),
        ("carol", "x", "“alice”, “bob”"),
    ])
    func `a wrong password shows the page again and is explained`(
        name: String, password: String, word: String
    ) {
        let again = browser.logIn(name, password, on: browser.open(Cast.request()))
        #expect(again.status == 400 && again.heading == "Log in")
        #expect(again.page.contains("User name or password is wrong") && !again.page.contains("wonderland"))
        #expect(bench.explanation?.contains(word) == true && bench.misshapenExplanations == [])
        #expect(browser.cookies["mounted.session"] == nil)

        #expect(browser.logIn("alice", "wonderland", on: again).answer["code"] != nil)
    }

    @Test func `a form of another browser, of another conversation or of nobody is refused`() throws {
        let form = try #require(browser.open(Cast.request()).forms.first)
        let stranger = Browser(bench)
        #expect(
            stranger.submit(form, pressing: ("subject", "a-1")).heading == "The browser does not keep cookies"
        )
        let other = try #require(stranger.open(Cast.request()).forms.first)
        #expect(stranger.submit(form, pressing: ("subject", "a-1")).heading == "The form is not valid")

        let mixed = [
            "csrf": other["csrf"] ?? "", "interaction": form["interaction"] ?? "",
        ]
        #expect(stranger.submit(other, mixed, pressing: ("subject", "a-1")).status == 400)
        #expect(stranger.submit(other, ["csrf": ""], pressing: ("subject", "a-1")).status == 400)
        #expect(stranger.submit(other, ["csrf": "9.zz"], pressing: ("subject", "a-1")).status == 400)
        #expect(stranger.submit(other, ["interaction": "x"], pressing: ("subject", "a-1")).status == 400)
        #expect(stranger.submit(other, pressing: ("subject", "nobody")).status == 400)
        #expect(stranger.submit(other, pressing: ("subject", "a-1")).answer["code"] != nil)
        #expect(bench.misshapenExplanations == [])
    }

    // Token Server documentation, consent form.
    @Test func `a form is good for five minutes, and a fresh one is a click away`() throws {
        let page = browser.open(Cast.request())
        try bench.clock.advance(seconds: 299)
        #expect(browser.logIn("alice", "wrong", on: page).heading == "Log in")
        try bench.clock.advance(seconds: 1)
        let late = browser.logIn("alice", "wonderland", on: page)
        #expect(late.status == 400 && late.heading == "The form was open for too long")

        let link = try #require(late.page.between("<a href=\"", "\""))
        #expect(browser.logIn("alice", "wonderland", on: browser.open(link)).answer["code"] != nil)
    }

    @Test func `a conversation lives for an hour`() throws {
        let page = browser.open(Cast.request())
        try bench.clock.advance(seconds: 3600)
        #expect(browser.open(page.url).heading == "This page is no longer valid")
        #expect(browser.open("/login").status == 400 && browser.open("/consent").status == 400)
    }

    @Test func `two tabs do not meet, and the back button leads to a page that works`() {
        let (one, other) = (
            browser.open(Cast.request(["state": "1"])), browser.open(Cast.request(["state": "2"]))
        )
        #expect(browser.click("a-1", on: other).answer["state"] == "2")
        #expect(browser.click("b-2", on: one).answer["state"] == "1")

        let back = browser.open(one.url)
        #expect(back.heading == "Log in")
        #expect(browser.click("a-1", on: back).answer["code"] != nil)
    }

    @Test func `a browser without cookies is told so`() {
        let page = browser.open(Cast.request())
        let form = page.forms[0]
        browser.forgetCookies()
        #expect(
            browser.submit(form, pressing: ("subject", "a-1")).heading == "The browser does not keep cookies")
    }

    @Test func `the session lasts eight hours, however often it is used`() throws {
        _ = browser.authorize()
        try bench.clock.advance(seconds: 28_799)
        #expect(browser.open(Cast.request()).answer["code"] != nil)
        let used = try bench.world.database.read { db in try bench.server.sessions.all(of: "a-1", in: db) }
        #expect(used.first?.lastUsedAt == bench.clock.now)

        try bench.clock.advance(seconds: 1)
        #expect(browser.open(Cast.request()).heading == "Log in")
        #expect(browser.open(Cast.request(["prompt": "none"])).answer["error"] == "login_required")
        #expect(bench.explanation?.contains("is over") == true)
    }

    @Test func `cookies keep to the mount, and under TLS to the host`() throws {
        let page = browser.open(Cast.request())
        let line = try #require(page.response.headers["Set-Cookie"])
        #expect(line.hasPrefix("mounted.browser=") && line.hasSuffix("; Path=/oauth; HttpOnly; SameSite=Lax"))

        let safe = Browser(bench)
        safe.secure = true
        let safePage = safe.open(Cast.request())
        let safeLine = try #require(safePage.response.headers["Set-Cookie"])
        #expect(safeLine.hasPrefix("__Host-mounted.browser.oauth="))
        #expect(safeLine.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Secure"))
        #expect(safe.click("a-1", on: safePage).answer["iss"] == "https://localhost:8420/oauth")
        #expect(Set(safe.cookies.keys).contains("__Host-mounted.session.oauth"))
    }

    @Test(arguments: ["select_account", "create", "login consent"])
    func `some prompts show the page although somebody is logged in`(prompt: String) {
        _ = browser.authorize()
        let page = browser.open(Cast.request(["prompt": prompt]))
        #expect(page.heading == "Log in")
        let next = browser.click("b-2", on: page)
        #expect(next.answer["code"] != nil || next.heading == "Allow Web Shop?")
    }

    // §21, row 6
    @Test func `a hint logs in without a page where the fixtures say so`() throws {
        let bench = try Cast.bench(more: #""pages": {"auto_login": true, "acr_values": ["9"]}"#)
        let browser = Browser(bench)
        #expect(browser.open(Cast.request(["login_hint": "alice@example.com"])).answer["code"] != nil)
        #expect(Browser(bench).open(Cast.request(["login_hint": "nobody"])).heading == "Log in")
        #expect(Browser(bench).open(Cast.request()).heading == "Log in")
        let silent = Browser(bench).open(Cast.request(["login_hint": "alice", "prompt": "none"]))
        #expect(silent.answer["error"] == "login_required")
        let grant = try bench.world.database.read { db in try bench.server.grants.all(in: db).first }
        #expect(grant?.acr == "9" && grant?.amr == [])
    }

    @Test func `conversations that nobody goes on with do not pile up`() throws {
        for _ in 0..<1_010 { _ = bench.get("/oauth" + Cast.request()) }
        let count = try bench.world.database.read { db in
            try db.value(Int.self, "SELECT count(*) FROM openid_interaction")
        }
        #expect(count == 1_000)
    }

    @Test func `broken forms are refused and cost nothing`() {
        for path in ["/login", "/consent", "/device_authorization/verification"] {
            for body in [
                "", "interaction", "interaction=%ZZ", "=&=&", "{\"a\":1}", "csrf=1&interaction=" + path,
            ] {
                let response = bench.send(.post, "/oauth" + path, body: Array(body.utf8))
                #expect(response.status == 400)
            }
        }
        #expect(bench.reports.lines == [] && bench.misshapenExplanations == [])
    }
}
