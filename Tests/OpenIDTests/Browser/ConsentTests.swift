import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

/// Source: OpenID Connect Core 1.0 §3.1.2.4.
struct ConsentTests {
    private static let scopes = """
        "scopes": [{"name": "openid"}, {"name": "email"}, {"name": "profile"},
            {"name": "phone", "description": "Call <you> at night", "needs_consent": true},
            {"name": "address", "needs_consent": true}]
        """

    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench(
            """
            {"client_id": "trusted", "client_secret": "t", "scope": "openid phone", "skips_consent": true,
             "redirect_uris": ["\(Cast.callback)"]}
            """, more: Self.scopes)
        browser = Browser(bench)
    }

    @Test func `the user is asked once for a scope that needs it`() throws {
        let page = browser.authorize(["scope": "openid phone"])
        #expect(page.heading == "Allow Web Shop?")
        #expect(page.page.contains("Call &lt;you&gt; at night") && page.page.contains("Alice Liddell"))
        #expect(!page.page.contains("<code>openid</code>"))
        #expect(browser.decide("allow", on: page).answer["code"] != nil)

        #expect(browser.open(Cast.request(["scope": "openid phone"])).answer["code"] != nil)
        let more = browser.open(Cast.request(["scope": "openid phone address"]))
        #expect(more.page.contains("<code>address</code>") && !more.page.contains("<code>phone</code>"))
        let given = try bench.world.database.read { db in try bench.server.consents.all(of: "a-1", in: db) }
        #expect(given.map(\.scope.text) == ["phone"])
    }

    @Test func `what one user allowed, another did not`() {
        _ = browser.decide("allow", on: browser.authorize(["scope": "openid phone"]))
        #expect(Browser(bench).authorize(["scope": "openid phone"], as: "b-2").heading == "Allow Web Shop?")
    }

    @Test func `a refusal goes to the client and is not remembered`() {
        let page = browser.authorize(["scope": "openid phone"])
        let back = browser.decide("deny", on: page)
        #expect(back.answer["error"] == "access_denied" && back.answer["state"] == "xyz")

        #expect(browser.open(Cast.request(["scope": "openid phone"])).heading == "Allow Web Shop?")
    }

    @Test func `without a word of the user nothing is granted`() {
        let page = browser.authorize(["scope": "openid phone"])
        #expect(browser.decide("perhaps", on: page).status == 400)
        #expect(browser.decide("allow", on: page).answer["code"] != nil)
    }

    @Test func `prompt=none asks nobody`() {
        _ = browser.authorize()
        let silent = browser.open(Cast.request(["scope": "openid phone", "prompt": "none"]))
        #expect(silent.answer["error"] == "consent_required")
        #expect(bench.explanation?.contains("phone") == true)
    }

    @Test func `prompt=consent asks although it was allowed before, and of every client`() {
        _ = browser.decide("allow", on: browser.authorize(["scope": "openid phone"]))
        let page = browser.open(Cast.request(["scope": "openid phone", "prompt": "consent"]))
        #expect(page.heading == "Allow Web Shop?")
        #expect(browser.decide("allow", on: page).answer["code"] != nil)

        let other = browser.open(Cast.request(["client_id": "trusted", "prompt": "consent"]))
        #expect(other.heading == "Allow trusted?")
    }

    @Test func `a trusted client is not asked about`() {
        #expect(browser.authorize(["client_id": "trusted", "scope": "openid phone"]).answer["code"] != nil)
    }

    @Test func `consent of a custom-scheme client is remembered as well`() {
        let fields: KeyValuePairs = [
            "client_id": "app", "redirect_uri": "com.example.app:/cb", "scope": "openid phone",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        ]
        let back = browser.decide("allow", on: browser.authorize(fields))
        #expect(back.url.hasPrefix("com.example.app:/cb?code="))
        #expect(browser.open(Cast.request(fields)).url.hasPrefix("com.example.app:/cb?code="))
    }

    @Test func `somebody else who logs in meanwhile is asked for themselves`() {
        let page = browser.authorize(["scope": "openid phone"])
        _ = browser.click("b-2", on: browser.open(Cast.request(["prompt": "login"])))
        _ = browser.decide("deny", on: page)
        #expect(browser.open(page.url).page.contains("Bob &lt;b&gt;Builder"))
    }

    @Test func `a scope that the fixtures do not know is refused`() {
        #expect(
            browser.open(Cast.request(["scope": "openid offline_access"])).answer["error"] == "invalid_scope")
    }
}
