import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// Token exchange, a test for each sentence. Source: RFC 8693.
struct ExchangeTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func exchange(
        _ subject: String?, _ more: [(String, String)] = [], type: String? = TokenType.accessToken,
        as client: String = "web"
    ) -> Response {
        bench.ask(
            "/token",
            [
                ("grant_type", GrantType.tokenExchange), ("subject_token", subject ?? ""),
                ("subject_token_type", type ?? ""),
            ]
                + more, as: client)
    }

    @Test func `an access token brings another one for the same user`() throws {
        let answer = exchange(try bench.loggedIn()["access_token"], as: "other")
        #expect(answer.status == .ok)
        #expect(
            Set(answer.fields.keys) == [
                "access_token", "issued_token_type", "token_type", "expires_in", "scope",
            ])
        #expect(answer.fields["issued_token_type"] == "urn:ietf:params:oauth:token-type:access_token")
        #expect(answer.fields["token_type"] == "Bearer")
        #expect(answer.fields["scope"] == "openid profile email read")
        #expect(bench.userinfo(answer.fields["access_token"]).fields["sub"] == TokenCast.alice)
    }

    @Test func `an actor who acts for the user stands in the claim act`() throws {
        let subject = try bench.loggedIn()["access_token"]
        let actor = bench.ask(
            "/token", [("grant_type", "client_credentials"), ("scope", "read")], as: "other")
        let answer = exchange(
            subject,
            [
                ("actor_token", actor.fields["access_token"] ?? ""),
                ("actor_token_type", TokenType.accessToken),
                ("requested_token_type", TokenType.jwt), ("audience", "https://api.example"),
                ("scope", "read"),
            ])
        #expect(answer.fields["issued_token_type"] == "urn:ietf:params:oauth:token-type:jwt")
        let claims = try bench.verified(answer.fields["access_token"]).claims
        #expect(claims["sub"] == .string(TokenCast.alice))
        #expect(claims["act"] == ["sub": "other"])
        #expect(claims["aud"] == "https://api.example")
        #expect(claims["client_id"] == "web")
        #expect(claims["scope"] == "read")

        let second = exchange(
            answer.fields["access_token"],
            [
                ("actor_token", try bench.loggedIn("next")["access_token"] ?? ""),
                ("actor_token_type", TokenType.accessToken), ("requested_token_type", TokenType.jwt),
            ], type: TokenType.jwt)
        #expect(
            try bench.verified(second.fields["access_token"]).claims["act"]
                == ["sub": .string(TokenCast.alice), "act": ["sub": "other"]])
    }

    @Test func `a chain of actors has an end`() throws {
        let actor = bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "read")])
        let more = [
            ("actor_token", actor.fields["access_token"] ?? ""), ("actor_token_type", TokenType.accessToken),
        ]
        var token = try bench.loggedIn()["access_token"]
        for _ in 1...10 { token = exchange(token, more).fields["access_token"] }
        #expect(bench.isActive(token))
        #expect(exchange(token, more).refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("handed on 10 times") == true)
    }

    @Test func `an ID token of the caller says who the user is`() throws {
        let login = try bench.loggedIn()
        let answer = exchange(login["id_token"], [("scope", "read")], type: TokenType.idToken)
        #expect(answer.status == .ok)
        #expect(
            bench.ask("/introspect", [("token", answer.fields["access_token"] ?? "")]).fields["sub"]
                == TokenCast.alice)
        #expect(
            exchange(login["id_token"], [("scope", "read")], type: TokenType.idToken, as: "other").refusal
                == "400 invalid_request")
    }

    // Worlds and servers may have the same keys. Source: OpenID Connect Core 1.0 §3.1.3.7.
    @Test(arguments: ["http://localhost:8420/w/other/oauth", "http://127.0.0.1:8420/oauth", ""])
    func `an ID token of another issuer says nothing, whoever signed it`(_ foreign: String) throws {
        let login = try bench.loggedIn()
        let server = bench.server
        let found = try bench.world.database.read { db in
            (try server.clients.find("web", in: db), try server.grants.find("grant-code", in: db))
        }
        var grant = try #require(found.1)
        grant.issuer = foreign
        let token = try server.sign(
            IDToken(client: try #require(found.0), grant: grant, now: bench.clock.now))
        #expect(
            exchange(token, [("scope", "read")], type: TokenType.idToken).refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("expected iss “\(bench.issuer)”, found “\(foreign)”") == true)
        #expect(exchange(login["id_token"], [("scope", "read")], type: TokenType.idToken).status == .ok)
    }

    @Test func `an ID token that was issued under another address of this server is its own`() throws {
        let token = try bench.loggedIn(grant: { $0.issuer = "http://10.0.2.2:8420/oauth" })["id_token"]
        #expect(exchange(token, [("scope", "read")], type: TokenType.idToken).status == .ok)
    }

    @Test func `an ID token that expired says nothing any more`() throws {
        let token = try bench.loggedIn()["id_token"]
        try bench.clock.advance(seconds: 3600)
        #expect(
            exchange(token, [("scope", "read")], type: TokenType.idToken).refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("the token expired 0 s ago") == true)
    }

    @Test func `the scope may be less and never more`() throws {
        let subject = try bench.loggedIn()["access_token"]
        #expect(exchange(subject, [("scope", "read")]).fields["scope"] == "read")
        #expect(exchange(subject, [("scope", "read write")]).refusal == "400 invalid_scope")
    }

    @Test func `an audience that the client may not ask for is an invalid target`() throws {
        let subject = try bench.loggedIn()["access_token"]
        #expect(exchange(subject, [("audience", "https://bank.example")]).refusal == "400 invalid_target")
        #expect(exchange(subject, [("resource", "https://bank.example")]).refusal == "400 invalid_target")
        #expect(bench.explanation?.contains("only for “https://api.example”") == true)
    }

    @Test func `subject token and its type are required`() throws {
        #expect(exchange("").refusal == "400 invalid_request")
        #expect(exchange(try bench.loggedIn()["access_token"], type: nil).refusal == "400 invalid_request")
    }

    @Test func `an actor token and its type belong together`() throws {
        let login = try bench.loggedIn()
        let token = login["access_token"] ?? ""
        #expect(exchange(token, [("actor_token", token)]).refusal == "400 invalid_request")
        #expect(
            exchange(token, [("actor_token_type", TokenType.accessToken)]).refusal == "400 invalid_request")
    }

    @Test func `tokens that are unknown, expired or revoked are an invalid request`() throws {
        #expect(exchange("made-up").refusal == "400 invalid_request")
        let (revoked, expired) = (try bench.loggedIn("one"), try bench.loggedIn("two"))
        _ = bench.ask("/revoke", [("token", revoked["access_token"] ?? "")])
        #expect(exchange(revoked["access_token"]).refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("was revoked") == true)
        try bench.clock.advance(seconds: 3601)
        #expect(exchange(expired["access_token"]).refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("expired 1 s ago") == true)
    }

    @Test(arguments: [
        "urn:ietf:params:oauth:token-type:saml2", "urn:ietf:params:oauth:token-type:refresh_token",
    ])
    func `other types of token are not taken and not issued`(_ type: String) throws {
        let token = try bench.loggedIn()["access_token"]
        #expect(exchange(token, type: type).refusal == "400 invalid_request")
        #expect(exchange(token, [("requested_token_type", type)]).refusal == "400 invalid_request")
    }

    @Test func `clients that are not registered for it, or have no credentials, are refused`() throws {
        let token = try bench.loggedIn()["access_token"]
        #expect(exchange(token, as: "machine").refusal == "400 unauthorized_client")
        #expect(exchange(token, as: "app").refusal == "400 unauthorized_client")
    }

    @Test func `no refresh token and no ID token come of it`() throws {
        let answer = exchange(try bench.loggedIn()["access_token"], [("scope", "openid offline_access")])
        #expect(answer.refusal == "400 invalid_scope")
        let plain = exchange(try bench.loggedIn("next")["access_token"], [("scope", "openid")])
        #expect(plain.status == .ok)
        #expect(plain.fields["refresh_token"] == nil)
        #expect(plain.fields["id_token"] == nil)
    }
}
