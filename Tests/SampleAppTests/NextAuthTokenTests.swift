import Essentials
import HTTP
import PlatformKit
import SampleApp
import TestKit
import Testing

/// The token service of nextAuth's guide: what it asks nextAuth, what it gives, what it refuses.
@Suite struct NextAuthTokenTests {
    private struct Scene {
        let bench: TestBench<SampleApp>
        let server: StubNextAuth

        func trade(_ nonce: String? = StubNextAuth.nonce, type: String? = "urn:understudy:webnonce")
            -> Response
        {
            let pairs = [("grant_type", type), ("webnonce", nonce)].compactMap { name, value in
                value.map { (name: name, value: $0) }
            }
            return bench.send(
                .post, "/app/nextauth/token", body: Array(Form.encode(pairs).utf8),
                headers: ["Content-Type": "application/x-www-form-urlencoded"])
        }

        func me(_ token: String?) -> Response {
            bench.get("/app/nextauth/me", headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
        }

        /// Asserts a refusal: status, body, and what the developer reads.
        func expect(
            _ response: Response, _ status: Status, _ fields: [String: String], _ explanation: String
        ) {
            #expect(response.status == status)
            #expect(response.fields == fields)
            #expect(bench.explanation?.contains(explanation) == true, "\(bench.explanation ?? "nothing")")
        }
    }

    private static let notGood = [
        "error": "invalid_grant", "error_description": "The web nonce is not good",
    ]

    private func withScene(_ settings: String = "", _ body: (Scene) throws -> Void) throws {
        let server = StubNextAuth()
        try server.run { url in
            let bench = try TestBench(
                SampleApp.self,
                fixtures: """
                    {"app": {"nextauth_tokens": {"server": "\(url)", "server_id": "\(StubNextAuth.serverID)",
                        "api_key": "a key"\(settings)}}}
                    """)
            try body(Scene(bench: bench, server: server))
            #expect(bench.reports.lines == [])
            #expect(bench.misshapenExplanations == [])
        }
    }

    @Test func `a web nonce brings a token, and the token its user`() throws {
        try withScene { scene in
            let given = scene.trade()

            #expect(given.status == .ok)
            #expect(given.fields["token_type"] == "Bearer")
            #expect(given.fields["expires_in"] == "300")
            #expect(given.fields["scope"] == nil)
            #expect(given.headers["Cache-Control"] == "no-store")
            let asked = try #require(scene.server.requests.first)
            #expect(asked.headers["X-apikey"] == "a key")
            #expect(asked.headers["X-nonce"] == StubNextAuth.nonce)
            let me = scene.me(given.fields["access_token"])
            #expect(me.status == .ok)
            #expect(
                try me.json(JSONValue.self) == ["userid": "ada", "attributes": ["name": "Ada Lovelace"]])
        }
    }

    @Test func `a nonce is traded as often as anybody asks while its AppLogin lives, and not after it`()
        throws
    {
        try withScene { scene in
            let first = scene.trade().fields["access_token"]
            let event = scene.bench.journal.first { $0.event == "web nonce traded" }
            #expect(event?.explanation?.contains("lives for 300 s, and no longer than the AppLogin") == true)
            scene.bench.time.advance(seconds: 300)
            #expect(scene.me(first).status == .unauthorized, "it has expired")
            let (second, third) = (scene.trade().fields["access_token"], scene.trade().fields["access_token"])
            #expect(second != third)
            #expect(scene.me(second).status == .ok)
            #expect(scene.me(third).status == .ok)

            scene.server.change { $0.status = ["loggedin": false, "canprovoke": true, "hsid": "aHNpZA"] }
            scene.expect(scene.trade(), .badRequest, Self.notGood, "no user is logged in at this web nonce")
            scene.server.change { $0.status = ["loggedin": true, "userid": "ada"] }
            #expect(scene.me(second).status == .unauthorized, "it ended with the AppLogin")
            #expect(scene.me(third).status == .unauthorized)
        }
    }

    @Test func `a nonce at which no user is logged in is refused`() throws {
        try withScene { scene in
            scene.server.change { $0.status = ["loggedin": false, "canprovoke": true, "hsid": "aHNpZA"] }

            scene.expect(scene.trade(), .badRequest, Self.notGood, "no user is logged in at this web nonce")
        }
    }

    @Test func `an account without a user gets no token`() throws {
        try withScene { scene in
            scene.server.change { $0.status["userid"] = nil }

            scene.expect(scene.trade(), .badRequest, Self.notGood, "belongs to no user")
        }
    }

    @Test func `the token dies with the AppLogin, and does not come back`() throws {
        try withScene { scene in
            let token = scene.trade().fields["access_token"]
            #expect(scene.me(token).status == .ok)

            scene.server.change { $0.status["loggedin"] = false }
            #expect(scene.me(token).status == .unauthorized)
            #expect(scene.me(token).fields["error"] == "invalid_token")
            scene.server.change { $0.status["loggedin"] = true }
            #expect(scene.me(token).status == .unauthorized)
        }
    }

    @Test func `the token expires`() throws {
        try withScene(", \"token_seconds\": 60") { scene in
            let token = scene.trade().fields["access_token"]

            scene.bench.time.advance(seconds: 60)

            #expect(scene.me(token).status == .unauthorized)
            #expect(scene.me(nil).status == .unauthorized)
        }
    }

    @Test func `another grant type and a missing nonce are bad requests`() throws {
        try withScene { scene in
            let type = [
                "error": "unsupported_grant_type",
                "error_description": "The grant type is urn:understudy:webnonce",
            ]
            scene.expect(scene.trade(type: "password"), .badRequest, type, "found “password”")
            scene.expect(scene.trade(type: nil), .badRequest, type, "found none")
            let missing = [
                "error": "invalid_request", "error_description": "The parameter webnonce is missing",
            ]
            scene.expect(scene.trade(nil), .badRequest, missing, "The form lacks webnonce")
            scene.expect(scene.trade(""), .badRequest, missing, "The form lacks webnonce")
            #expect(scene.server.requests.isEmpty)
        }
    }

    @Test func `a nextAuth Server that refuses or talks nonsense is 502, and the nonce stays good`() throws {
        try withScene { scene in
            let failed = ["error": "server_error", "error_description": "nextAuth could not be asked"]
            scene.server.change { $0.httpStatus = .unauthorized }
            scene.expect(scene.trade(), 502, failed, "nextauth_tokens.server_id and api_key")
            scene.server.change {
                $0.httpStatus = .ok
                $0.status = ["loggedin": "yes"]
            }
            scene.expect(scene.trade(), 502, failed, "cannot be read")

            scene.server.change { $0.status = ["loggedin": true, "userid": "ada"] }
            #expect(scene.trade().status == .ok)
        }
    }

    @Test func `the metadata names the token endpoint and its only grant`() throws {
        try withScene { scene in
            let metadata = try scene.bench.get("/app/.well-known/oauth-authorization-server")
                .json(JSONValue.self)

            #expect(metadata["token_endpoint"] == "http://localhost:8420/app/nextauth/token")
            #expect(metadata["jwks_uri"] == "http://localhost:8420/app/nextauth/jwks")
            #expect(metadata["grant_types_supported"] == ["urn:understudy:webnonce"])
            #expect(metadata["authorization_endpoint"] == nil)
        }
    }

    @Test func `settings that make no sense are refused with their place`() {
        for (settings, reason) in [
            ("\"server\": \"localhost\"", "expected a URL"), ("\"token_seconds\": 0", "expected 1 to 86400"),
        ] {
            let error = #expect(throws: (any Error).self) {
                try TestBench(SampleApp.self, fixtures: "{\"app\": {\"nextauth_tokens\": {\(settings)}}}")
            }
            #expect("\(error.map { "\($0)" } ?? "")".contains(reason))
        }
    }

    @Test func `what was issued survives an export`() throws {
        try withScene { scene in
            let token = try #require(scene.trade().fields["access_token"])
            let exported = String(decoding: try scene.bench.worlds.export(scene.bench.world), as: UTF8.self)

            let other = Scene(
                bench: try TestBench(SampleApp.self, fixtures: exported), server: scene.server)

            #expect(
                String(decoding: try other.bench.worlds.export(other.bench.world), as: UTF8.self) == exported)
            #expect(other.me(token).status == .ok)
        }
    }
}
