import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

/// What the login page offers beside the people of the fixtures: to leave, to be somebody else, to have other claims. Source: ours,
/// after what test servers for OpenID Connect have.
struct TypedLoginTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench()
        browser = Browser(bench)
    }

    private func typed(_ person: String, _ claims: String, on visit: Visit) throws -> Visit {
        let form = try #require(visit.forms.first { $0["person"] != nil })
        return browser.submit(form, ["person": person], pressing: ("claims", claims))
    }

    private func cancel(_ visit: Visit) throws -> Visit {
        let form = try #require(visit.forms.last)
        return browser.submit(form, pressing: ("decision", "cancel"))
    }

    // RFC 6749 §4.1.2.1.
    @Test func `Cancel sends the browser back with access_denied`() throws {
        let visit = try cancel(browser.open(Cast.request()))
        #expect(visit.url.hasPrefix(Cast.callback + "?"))
        #expect(visit.answer["error"] == "access_denied" && visit.answer["state"] == "xyz")
        #expect(bench.explanation == "The user pressed Cancel on the login page.")
        #expect(browser.cookies["mounted.session"] == nil)
    }

    @Test func `somebody new is made up, with the claims that were typed`() throws {
        let visit = try typed(
            "zoe", #"{"name": "Zoë", "email": "zoe@example.org", "roles": ["admin"]}"#,
            on: browser.open(
                Cast.request(["scope": "openid profile email", "claims": #"{"id_token": {"roles": null}}"#])))
        let tokens = try bench.redeem(visit.answer["code"])
        let about = try bench.userinfo(tokens)
        #expect(about["sub"] == "zoe" && about["name"] == "Zoë" && about["email"] == "zoe@example.org")
        #expect(try bench.claims(tokens["id_token"])["roles"] == ["admin"])
        #expect(bench.journal.contains { $0.event == "user made up" && $0.subject == "zoe" })
    }

    @Test func `claims that were typed stand over the user's own, for this login alone`() throws {
        let asked = Cast.request(["scope": "openid profile email"])
        let visit = try typed(
            "alice", #"{"email": "other@example.org", "email_verified": false}"#, on: browser.open(asked))
        let about = try bench.userinfo(bench.redeem(visit.answer["code"]))
        #expect(about["sub"] == "a-1" && about["name"] == "Alice Liddell")
        #expect(about["email"] == "other@example.org" && about["email_verified"] == false)

        let again = browser.open(asked)
        #expect(
            try bench.userinfo(bench.redeem(again.answer["code"]))["email"] == "other@example.org",
            "the same session")
        let other = Browser(bench)
        let plain = other.click("a-1", on: other.open(asked))
        #expect(
            try bench.userinfo(bench.redeem(plain.answer["code"]))["email"] == "alice@example.com")
    }

    @Test func `an export keeps them`() throws {
        _ = try typed("alice", #"{"email": "other@example.org"}"#, on: browser.open(Cast.request()))
        let state = try bench.world.database.read { db in
            try AuthorizationServer.export(server: "mounted", from: db)
        }
        #expect(state.sessions?.first?.loginClaims == ["email": "other@example.org"])
        #expect(state.grants?.first?.loginClaims == ["email": "other@example.org"])
    }

    @Test(arguments: [
        ("alice", "not json", "expected a JSON object"), ("alice", "[1]", "expected a JSON object"),
        ("alice", #"{"sub": "x", "exp": 1}"#, "exp, sub is what the server itself says"),
        ("", "", "1 to 255 ASCII characters"), ("Zoë", "", "1 to 255 ASCII characters"),
        ("alice", #"{"a": "\#(String(repeating: "x", count: 16_384))"}"#, "16384 are the most"),
    ])
    func `what cannot be given is refused, and comes back to be mended`(
        person: String, claims: String, reason: String
    ) throws {
        let again = try typed(person, claims, on: browser.open(Cast.request()))
        #expect(again.status == 400 && again.heading == "Log in" && again.page.contains("<details open>"))
        #expect(bench.explanation?.contains(reason) == true && bench.misshapenExplanations == [])
        #expect(browser.cookies["mounted.session"] == nil)
        #expect(try typed("alice", "", on: again).answer["code"] != nil)
    }

    @Test func `what was typed never becomes markup`() throws {
        let again = try typed("\"><b>", "</textarea><script>x</script>", on: browser.open(Cast.request()))
        #expect(!again.page.contains("<script") && !again.page.contains("\"><b>"))
    }
}

/// The pages in the role of a provider such as Google.
struct PlayedProviderTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench(
            """
            {"client_id": "shop", "client_secret": "x", "client_name": "Shop", "scope": "openid email", "plays": "Google",
             "redirect_uris": ["\(Cast.callback)"]}
            """)
        browser = Browser(bench)
    }

    private var asked: String { Cast.request(["client_id": "shop", "scope": "openid email"]) }

    @Test func `the login page says whom it plays`() {
        let visit = browser.open(asked)
        #expect(visit.heading == "Sign in with Google")
        #expect(visit.page.contains("Understudy plays Google here."))
        #expect(!browser.open(Cast.request()).page.contains("Google"))
    }

    @Test func `it asks for consent once, and offers another account`() throws {
        let consent = browser.click("a-1", on: browser.open(asked))
        #expect(consent.heading == "Allow Shop?" && consent.page.contains("logged in at Google as"))
        let chooser = browser.decide("other", on: consent)
        #expect(chooser.heading == "Sign in with Google")
        let second = browser.click("b-2", on: chooser)
        #expect(second.page.contains("Bob &lt;b&gt;Builder"))
        #expect(browser.decide("allow", on: second).answer["code"] != nil)
        #expect(browser.open(asked).answer["code"] != nil, "consent is remembered")
    }

    @Test func `a refusal is access_denied`() {
        let consent = browser.click("a-1", on: browser.open(asked))
        #expect(browser.decide("deny", on: consent).answer["error"] == "access_denied")
    }
}
