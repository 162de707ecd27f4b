import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// ID tokens that come back as hints. Source: OpenID Connect Core 1.0 §3.1.2.1; RP-Initiated Logout 1.0 §2.
struct HintTests {
    private static let bye = "https://client.example/bye"

    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench()
        browser = Browser(bench)
    }

    /// Logs in, and signs an ID token about the same user with this world's keys.
    private func token(issuer: String, isGranted: Bool = false) throws -> String {
        let own = try bench.redeem(browser.authorize().answer["code"])["id_token"]?.string ?? ""
        let grant = Grant(
            id: "hinted", clientID: "web", subject: try bench.claims(.string(own))["sub"]?.string,
            scope: ScopeList("openid"), issuer: issuer, type: "authorization_code",
            createdAt: bench.clock.now)
        let server = bench.server
        let client = try bench.world.database.write { db in
            if isGranted { try server.grants.insert(grant, in: db) }
            return try server.clients.find("web", in: db)
        }
        return try server.sign(IDToken(client: #require(client), grant: grant, now: bench.clock.now))
    }

    // Worlds and servers may have the same keys.
    @Test(arguments: ["http://localhost:8420/w/other/oauth", "http://localhost:8420/other", ""])
    func `a hint of another issuer is none, whoever signed it`(_ foreign: String) throws {
        let token = try token(issuer: foreign)

        let out = browser.open("/logout", ["id_token_hint": token, "post_logout_redirect_uri": Self.bye])
        #expect(out.status == 400 && out.response.headers["Location"] == nil)
        #expect(
            bench.explanation?.contains("its iss is “\(foreign)”, expected “\(bench.issuer)”") == true,
            "\(bench.explanation ?? "")")

        let asked = browser.open(Cast.request(["id_token_hint": token, "prompt": "none"]))
        #expect(asked.answer["error"] == "invalid_request")
        #expect(bench.misshapenExplanations == [])
    }

    // OpenID Connect Core 1.0 §3.1.2.1: a hint is no demand.
    @Test func `a login_hint that means nobody is passed over, and the journal says so`() {
        #expect(browser.open(Cast.request(["login_hint": "nobody@example.com"])).heading == "Log in")
        let told = bench.journal.compactMap(\.explanation)
        #expect(told.count == 1)
        #expect(told.first?.contains("login_hint “nobody@example.com” is no user's name") == true)
        #expect(told.first?.contains("“alice”") == true && bench.misshapenExplanations == [])

        #expect(browser.open(Cast.request(["login_hint": "alice"])).heading == "Log in")
        #expect(bench.journal.compactMap(\.explanation) == told, "a hint that means somebody is no news")
    }

    @Test func `a hint that was issued under another address of this server is its own`() throws {
        let token = try token(issuer: "http://10.0.2.2:8420/oauth", isGranted: true)

        #expect(browser.open(Cast.request(["id_token_hint": token, "prompt": "none"])).answer["code"] != nil)
        let out = browser.open("/logout", ["id_token_hint": token, "post_logout_redirect_uri": Self.bye])
        #expect(out.url == Self.bye)
    }
}
