import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

struct IntrospectionTests {
    typealias Bench = ManagementBench

    private func introspect(
        _ token: String, _ bench: Bench, _ headers: Headers = Bench.portal, version: String = "v2"
    ) -> Response {
        var headers = headers
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return bench.bench.send(
            .post, "/oauth/api/\(version)/token/introspect", body: Array("token=\(token)".utf8),
            headers: headers)
    }

    @Test func `a device's token tells the app and the user's details`() throws {
        let bench = try Bench()
        try bench.addDevice()
        try bench.issue("a", to: Bench.device, amr: ["FINGER_PRINT"])

        let response = introspect("access-a", bench)
        #expect(response.status == .ok)
        let members = try #require(try response.json(JSONValue.self).object)
        let documented: [String: JSONValue] = [
            "active": true, "scope": "openid email", "client_id": .string(Bench.device),
            "token_type": "bearer",
            "exp": 1_767_323_945, "iat": 1_767_323_045, "nbf": 1_767_323_045, "sub": "ada",
            "app_identifier": "com.example.app", "app_version": "1.0.0", "app_platform": "ios",
            "usage_limit": 0,
            "user_details": ["email": "ada@example.com"], "amr": ["FINGER_PRINT"],
        ]
        for (name, value) in documented { #expect(members[name] == value, "\(name)") }
        #expect(try bench.eventTypes() == ["TOKEN_INTROSPECTION_SUCCESS"])
    }

    @Test func `members without a value are left out, and a client of its own has a subject too`() throws {
        let bench = try Bench()
        try bench.issue("a", to: "shop", for: nil, scope: "email")

        let members = try introspect("access-a", bench).json(JSONValue.self)
        #expect(members["sub"] == "shop")
        #expect(members["amr"] == ["DEFAULT"])
        for name in ["app_identifier", "app_version", "app_platform", "user_details", "usage_count"] {
            #expect(members[name] == nil, "\(name)")
        }
    }

    @Test func `the lowest usage limit of the scopes is told`() throws {
        let bench = try Bench()
        for (scope, limit) in [("email", 5), ("profile", 3), ("phone", 0)] {
            _ = bench.patch(
                "/api/v1/configuration/scopes/\(scope)",
                "{\"scope_id\": \"\(scope)\", \"usage_limit\": \(limit)}")
        }
        try bench.issue("a", to: "shop", scope: "email profile phone")

        #expect(try introspect("access-a", bench).json(JSONValue.self)["usage_limit"] == 3)
    }

    // Source: Token Server documentation, “Token introspection”, `usage_count`.
    @Test func `uses are counted up to the limit, then the token is not active`() throws {
        let bench = try Bench()
        _ = bench.patch(
            "/api/v1/configuration/scopes/email", "{\"scope_id\": \"email\", \"usage_limit\": 2}")
        try bench.issue("a", to: "shop", scope: "email")

        for count in 1...2 {
            let members = try introspect("access-a", bench).json(JSONValue.self)
            #expect(members["usage_count"] == .integer(count) && members["usage_limit"] == 2)
        }
        #expect(introspect("access-a", bench).text == "{\"active\":false}")
        #expect(bench.bench.journal.contains { $0.event == "token worn out" })
    }

    // Source: Token Server documentation, “Scopes”.
    @Test func `a scope with a usage limit brings no refresh token`() throws {
        let bench = try Bench()
        let server = bench.onegini.server
        func terms(_ scope: String) throws -> IssueTerms {
            let grant = Grant(
                id: "g", clientID: "shop", subject: "ada", scope: ScopeList(scope), issuer: "i",
                type: GrantType.authorizationCode, createdAt: server.now)
            return try bench.onegini.database.write { db in
                let client = try #require(try server.clients.find("shop", in: db))
                return try MobileExtension(registry: bench.onegini.registry).terms(
                    of: TokenIssue(
                        client: client, grant: grant, parameters: Form(""), isRefresh: false, now: server.now),
                    in: db)
            }
        }
        _ = bench.patch(
            "/api/v1/configuration/scopes/email", "{\"scope_id\": \"email\", \"usage_limit\": 1}")

        #expect(try terms("openid email").getsRefreshToken == false)
        #expect(try terms("openid profile").getsRefreshToken == nil)
    }

    // Source: Token Server documentation, “Access token”.
    @Test func `a JWT tells the usage limit of its scopes`() throws {
        let bench = try Bench()
        _ = bench.patch(
            "/api/v1/configuration/scopes/email", "{\"scope_id\": \"email\", \"usage_limit\": 4}")
        let server = bench.onegini.server
        try bench.onegini.database.write { db in
            var client = try #require(try server.clients.find("shop", in: db))
            client.metadata.accessTokenFormat = .jwt
            try server.clients.update(client, in: db)
        }
        func claims(_ scope: String) throws -> JSONValue {
            var headers = Bench.shop
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            let token = bench.bench.send(
                .post, "/oauth/v1/token", body: Array("grant_type=client_credentials&scope=\(scope)".utf8),
                headers: headers
            ).fields["access_token"]
            let part = try #require(token?.split(separator: ".").dropFirst().first)
            return try JSONValue(parsing: try #require(Base64URL.decode(String(part))))
        }

        let limited = try claims("email")
        #expect(limited["usl"] == 4 && limited["ver"] == 1)
        #expect(limited["cid"] == "shop" && limited["scp"] == ["email"])
        #expect(limited["jti"]?.string?.hasPrefix("AT.") == true && limited["nbf"] == limited["iat"])
        #expect(try claims("profile")["usl"] == 0)
    }

    @Test func `a token that is unknown, expired, revoked or no access token is not active`() throws {
        let bench = try Bench()
        try bench.issue("a", to: "shop", refresh: true)
        try bench.issue("gone", to: "shop")
        _ = bench.delete("/oauth/api/v1/users/ada/tokens/token-gone")

        for token in ["unknown", "access-gone", "refresh-a", "a.b.c"] {
            let response = introspect(token, bench)
            #expect(response.status == .ok)
            #expect(response.text == "{\"active\":false}")
        }
        try bench.bench.clock.advance(seconds: 900)
        #expect(introspect("access-a", bench).text == "{\"active\":false}")
        #expect(try bench.eventTypes().first == "TOKEN_INTROSPECTION_FAILED")
    }

    @Test func `who may not ask is refused`() throws {
        let bench = try Bench()
        try bench.issue("a", to: "shop")

        let lacking = introspect("access-a", bench, Bench.idle)
        #expect(lacking.status == .forbidden)
        #expect(
            lacking.text == """
                {"error":"insufficient_scope","error_description":"The API client lacks the scope \
                onegini_api_token_introspection"}
                """)
        #expect(introspect("access-a", bench, [:]).status == .unauthorized)
        let empty = introspect("", bench)
        #expect(empty.status == .badRequest)
        #expect(
            empty.text
                == "{\"error\":\"invalid_request\",\"error_description\":\"The parameter token is missing\"}")
    }

    @Test func `version 1 says the same, but how many seconds are left`() throws {
        let bench = try Bench()
        try bench.addDevice()
        try bench.issue("a", to: Bench.device)
        try bench.bench.clock.advance(seconds: 100)

        let second = try introspect("access-a", bench).json(JSONValue.self).object
        let first = try introspect("access-a", bench, version: "v1").json(JSONValue.self).object
        #expect(first?["exp"] == 800)
        #expect(first?.filter { $0.key != "exp" } == second?.filter { $0.key != "exp" })
        #expect(introspect("access-a", bench, [:], version: "v1").status == .unauthorized)
        #expect(introspect("none", bench, version: "v1").text == "{\"active\":false}")
    }

    // MARK: Approval of a device within an app

    private static let scope = "access:device-authorization:approve"

    private func approve(_ code: String?, _ token: String?, _ bench: Bench) -> Response {
        bench.bench.send(
            .post, "/oauth/device_authorization/approve" + (code.map { "?user_code=" + $0 } ?? ""),
            headers: token.map { ["Authorization": "Bearer " + $0] } ?? [:])
    }

    private func askForDevice(_ bench: Bench) throws -> String {
        let onegini = bench.onegini
        try onegini.database.write { db in
            var client = try #require(try onegini.server.clients.find("shop", in: db))
            client.metadata.grantTypes?.append(GrantType.deviceCode)
            try onegini.server.clients.update(client, in: db)
        }
        let response = bench.bench.send(
            .post, "/oauth/device_authorization", body: Array("scope=email".utf8),
            headers: [
                "Authorization": Bench.shop["Authorization"] ?? "",
                "Content-Type": "application/x-www-form-urlencoded",
            ])
        return try #require(response.fields["user_code"])
    }

    @Test func `a user lets a device in once`() throws {
        let bench = try Bench()
        try bench.issue("a", to: "shop", scope: Self.scope)
        let code = try askForDevice(bench)

        let response = approve(code, "access-a", bench)
        #expect(response.status == .noContent)
        #expect(response.bytes.isEmpty)
        let again = approve(code, "access-a", bench)
        #expect(again.status == .conflict)
        #expect(again.fields["error"] == "already_authorized")
    }

    @Test func `an approval is refused as documented`() throws {
        let bench = try Bench()
        try bench.issue("a", to: "shop", scope: Self.scope)
        try bench.issue("weak", to: "shop", scope: "email")
        try bench.issue("own", to: "shop", for: nil, scope: Self.scope)

        #expect(approve("BCDFGHJK", nil, bench).status == .unauthorized)
        let weak = approve("BCDFGHJK", "access-weak", bench)
        #expect(weak.status == .forbidden)
        #expect(weak.fields["error"] == "insufficient_scope")
        let own = approve("BCDFGHJK", "access-own", bench)
        #expect(own.status == .forbidden)
        #expect(
            own.text
                == "{\"error\":\"access_denied\",\"error_description\":\"The access token is of no user\"}")
        let missing = approve(nil, "access-a", bench)
        #expect(missing.status == .badRequest)
        #expect(
            missing.text
                == "{\"error\":\"invalid_request\",\"error_description\":\"The parameter user_code is missing\"}"
        )
        let unknown = approve("BCDFGHJK", "access-a", bench)
        #expect(unknown.status == .badRequest)
        #expect(unknown.fields["error"] == "invalid_request")
    }

    @Test func `a code that expired is said to have`() throws {
        let bench = try Bench()
        let code = try askForDevice(bench)
        try bench.bench.clock.advance(seconds: 86_400)
        try bench.issue("a", to: "shop", scope: Self.scope)

        let response = approve(code, "access-a", bench)
        #expect(response.status == .badRequest)
        #expect(response.fields["error"] == "expired_token")
    }
}
