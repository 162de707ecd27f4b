import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

struct EndUserTests {
    typealias Bench = ManagementBench

    @Test(arguments: [
        ("tokens", "No tokens found"), ("applications", "No applications found"),
        ("consents", "No consents found"), ("sessions", "No sessions found"),
    ])
    func `a list that would be empty is 404`(resource: String, error: String) throws {
        let bench = try Bench()
        let response = bench.get("/oauth/api/v1/users/nobody/\(resource)")

        #expect(response.status == .notFound)
        #expect(response.text == "{\"error\":\"\(error)\"}")
        #expect(response.headers["Cache-Control"] == "no-store")
        #expect(bench.bench.explanation?.contains("“nobody”") == true)
    }

    // MARK: Tokens

    @Test func `tokens are listed with their client, type and state`() throws {
        let bench = try Bench()
        try bench.addDevice()
        try bench.issue("a", to: "shop", refresh: true)
        try bench.issue("b", to: Bench.device, amr: ["FINGER_PRINT"])

        let response = bench.get("/oauth/api/v1/users/ada/tokens")
        #expect(response.status == .ok)
        #expect(response.headers["Content-Type"] == "application/json;charset=UTF-8")
        #expect(
            response.text == """
                {"tokens":[{"client_name":"Shop","created_at":1767323045000,"expired":false,"id":"token-a",\
                "refresh_token_issued":true,"scopes":["openid","email"],"type":"DEFAULT"},\
                {"client_name":"\(Bench.device)","created_at":1767323045000,"device_name":"Ada's phone",\
                "expired":false,"id":"token-b","refresh_token_issued":false,"scopes":["openid","email"],\
                "type":"FINGER_PRINT"}]}
                """)
    }

    @Test func `an expired token is listed while it can be refreshed`() throws {
        let bench = try Bench()
        try bench.issue("a", to: "shop", refresh: true)
        try bench.issue("b", to: "shop")
        try bench.bench.clock.advance(seconds: 901)

        let tokens = try bench.get("/oauth/api/v1/users/ada/tokens").json([String: [JSONValue]].self)[
            "tokens"]
        #expect(tokens?.map { $0["id"] } == ["token-a"])
        #expect(tokens?.map { $0["expired"] } == [true])
    }

    @Test func `a removed token is dead with its refresh token, and any other removal changes nothing`()
        throws
    {
        let bench = try Bench()
        try bench.issue("a", to: "shop", refresh: true)
        try bench.issue("b", to: "shop")

        #expect(bench.delete("/oauth/api/v1/users/grace/tokens/token-a").status == .noContent)
        #expect(bench.delete("/oauth/api/v1/users/ada/tokens/none").status == .noContent)
        #expect(try bench.isAlive("a"))
        let removed = bench.delete("/oauth/api/v1/users/ada/tokens/token-a")
        #expect(removed.status == .noContent)
        #expect(removed.bytes.isEmpty)
        #expect(removed.headers["Cache-Control"] == "no-store")
        #expect(try !bench.isAlive("a"))
        #expect(try bench.isAlive("b"))
        #expect(try bench.onegini.server.introspection(of: "refresh-a") == nil)
    }

    // MARK: Applications

    @Test func `installations of an app are one application, a web client is another`() throws {
        let bench = try Bench()
        let other = String(repeating: "CD", count: 32)
        try bench.addDevice()
        try bench.addDevice(other)
        try bench.issue("a", to: Bench.device)
        try bench.issue("b", to: other)
        try bench.issue("c", to: "shop")

        let response = bench.get("/oauth/api/v1/users/ada/applications")
        let apps = try #require(try response.json([String: [JSONValue]].self)["apps"])
        #expect(apps.map { $0["app_name"] } == ["com.example.app", "Shop"])
        let id = try #require(apps[0]["id"]?.string)
        #expect(id.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)

        #expect(bench.delete("/oauth/api/v1/users/ada/applications/\(id)").status == .noContent)
        #expect(try [bench.isAlive("a"), bench.isAlive("b"), bench.isAlive("c")] == [false, false, true])
        #expect(bench.delete("/oauth/api/v1/users/ada/applications/\(id)").status == .noContent)
    }

    // MARK: Consents

    @Test func `removing a consent ends the tokens of its client`() throws {
        let bench = try Bench()
        let onegini = bench.onegini
        try bench.issue("a", to: "shop")
        try onegini.database.write { db in
            try onegini.server.consents.give(
                Consent(
                    id: "consent-1", subject: "ada", clientID: "shop", scope: ScopeList("email profile"),
                    givenAt: onegini.server.now), in: db)
        }

        let response = bench.get("/oauth/api/v1/users/ada/consents")
        #expect(
            response.text == """
                {"consents":[{"client_name":"Shop","id":"consent-1","scopes":["email","profile"]}]}
                """)
        #expect(bench.delete("/oauth/api/v1/users/grace/consents/consent-1").status == .noContent)
        #expect(try bench.isAlive("a"))
        #expect(bench.delete("/oauth/api/v1/users/ada/consents/consent-1").status == .noContent)
        #expect(try !bench.isAlive("a"))
        #expect(bench.get("/oauth/api/v1/users/ada/consents").status == .notFound)
    }

    // MARK: Sessions

    private func addSession(_ id: String, _ bench: Bench) throws {
        let onegini = bench.onegini
        let now = onegini.server.now
        try onegini.database.write { db in
            try onegini.server.sessions.insert(
                BrowserSession(
                    id: id, digest: Array(id.utf8), subject: "ada", authenticatedAt: now, acr: nil, amr: [],
                    browserState: "s", userAgent: "browser/1", ipAddress: "10.0.0.1", lastUsedAt: now,
                    expiresAt: now + 3600), in: db)
            try onegini.server.sessions.note(
                client: "shop", issuer: "http://localhost:8420/oauth", in: id, db)
        }
    }

    @Test func `sessions are listed with their clients`() throws {
        let bench = try Bench()
        try addSession("one", bench)
        try bench.issue("a", to: "shop", session: "one")

        #expect(
            bench.get("/oauth/api/v1/users/ada/sessions").text == """
                {"result":[{"auth_time":"2026-01-02T03:04:05.000Z","clients":[{"id":"shop","name":"Shop"}],\
                "last_iat":"2026-01-02T03:04:05.000Z","location":{"ip_address":"10.0.0.1"},\
                "saml_service_providers":[],"session_id":"one","user_agent":"browser/1"}]}
                """)
    }

    @Test func `ending a session ends its tokens unless asked not to`() throws {
        let bench = try Bench()
        for id in ["one", "two", "three"] {
            try addSession(id, bench)
            try bench.issue(id, to: "shop", session: id)
        }

        let odd = bench.delete("/oauth/api/v1/users/ada/sessions/one?removeTokens=perhaps")
        #expect(odd.status == .badRequest)
        #expect(
            odd.text == """
                {"code":"invalid_request","details":["removeTokens"],"message":"One or more parameters is missing or \
                incorrect."}
                """)
        #expect(bench.delete("/oauth/api/v1/users/ada/sessions/one?removeTokens=false").status == .noContent)
        #expect(bench.delete("/oauth/api/v1/users/ada/sessions/two").status == .noContent)
        #expect(
            try [bench.isAlive("one"), bench.isAlive("two"), bench.isAlive("three")] == [true, false, true])
        #expect(bench.delete("/oauth/api/v1/users/grace/sessions").status == .noContent)
        #expect(bench.delete("/oauth/api/v1/users/ada/sessions").status == .noContent)
        #expect(try !bench.isAlive("three"))
        #expect(bench.get("/oauth/api/v1/users/ada/sessions").status == .notFound)
    }
}
