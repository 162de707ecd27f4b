import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// Introspection, a test for each sentence. Source: RFC 7662.
struct IntrospectionTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func introspect(
        _ token: String?, as client: String = "gateway", _ more: [(String, String)] = []
    ) -> Response {
        bench.ask("/introspect", [("token", token ?? "")] + more, as: client)
    }

    private static let inactive = #"{"active":false}"#

    @Test func `an API learns everything about a living token`() throws {
        let token = try bench.loggedIn { $0.acr = "2" }["access_token"]
        let now = 1_767_323_045
        let answer = introspect(token)
        #expect(answer.status == .ok)
        #expect(answer.headers["Cache-Control"] == "no-store")
        var members = try answer.json([String: JSONValue].self)
        #expect(members.removeValue(forKey: "jti")?.string?.utf8.count == 36)
        #expect(
            members == [
                "active": true, "scope": "openid profile email read", "client_id": "web", "username": "alice",
                "token_type": "Bearer", "exp": .integer(now + 3600), "iat": .integer(now),
                "nbf": .integer(now),
                "sub": "248289761001", "aud": ["https://api.example", "https://other.example"],
                "iss": "http://localhost:8420/oauth",
                "acr": "2", "amr": ["pwd"],
            ])
    }

    @Test func `a client's own token has the client as its subject`() {
        let token = bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "read")])
        let answer = introspect(token.fields["access_token"])
        #expect(answer.fields["sub"] == "web")
        #expect(answer.fields["username"] == nil)
    }

    @Test func `a JWT is introspected by its jti`() throws {
        let bench = try TestBench.tokens(web: #""access_token_format": "jwt""#)
        let token = try bench.loggedIn()["access_token"]
        let jti = try bench.verified(token).claims["jti"]?.string
        #expect(bench.ask("/introspect", [("token", token ?? "")], as: "gateway").fields["jti"] == jti)
    }

    @Test func `an unknown token is not active, and nothing else is said`() {
        #expect(introspect("made-up").text == Self.inactive)
        #expect(introspect("made-up").status == .ok)
        #expect(introspect("a.b.c").text == Self.inactive)
    }

    @Test func `an expired token is not active`() throws {
        let token = try bench.loggedIn()["access_token"]
        try bench.clock.advance(seconds: 3600)
        #expect(introspect(token).text == Self.inactive)
    }

    @Test func `a revoked token is not active`() throws {
        let token = try bench.loggedIn()["access_token"]
        _ = bench.ask("/revoke", [("token", token ?? "")])
        #expect(introspect(token).text == Self.inactive)
    }

    @Test func `a refresh token is active until it is spent`() throws {
        let token = try bench.loggedIn()["refresh_token"]
        let answer = introspect(token)
        #expect(answer.fields["active"] == "true")
        #expect(answer.fields["sub"] == TokenCast.alice)
        #expect(answer.fields["token_type"] == nil)
        _ = bench.refresh(token)
        #expect(introspect(token).text == Self.inactive)
    }

    @Test(arguments: ["access_token", "refresh_token", "pat", "nonsense"])
    func `the hint is only a hint`(_ hint: String) throws {
        let token = try bench.loggedIn()["access_token"]
        #expect(introspect(token, [("token_type_hint", hint)]).fields["active"] == "true")
    }

    private func introspect(_ token: String?, _ more: [(String, String)]) -> Response {
        introspect(token, as: "gateway", more)
    }

    @Test func `a client learns about its own tokens`() throws {
        #expect(introspect(try bench.loggedIn()["access_token"], as: "web").fields["active"] == "true")
    }

    @Test func `a client is told nothing about those of others, and the journal says why`() throws {
        let answer = introspect(try bench.loggedIn()["access_token"], as: "other")
        #expect(answer.text == Self.inactive)
        #expect(
            bench.journal.contains {
                $0.explanation?.contains("“other” is told that it is not active") == true
            })
    }

    @Test func `a client learns about tokens whose audience it is`() throws {
        let token = try bench.loggedIn { $0.audience = ["other"] }["access_token"]
        #expect(introspect(token, as: "other").fields["aud"] == "other")
    }

    @Test func `a caller without credentials is refused with 401`() throws {
        let answer = introspect(try bench.loggedIn(client: "app")["access_token"], as: "app")
        #expect(answer.refusal == "401 invalid_client")
        #expect(bench.form("/introspect", ["token": "x"]).status == .unauthorized)
        let wrong: Headers = ["Authorization": TestBench<MountedServer>.basic("gateway", "wrong")]
        #expect(bench.form("/introspect", ["token": "x"], headers: wrong).refusal == "401 invalid_client")
    }

    @Test func `without a token the request is wrong`() {
        #expect(introspect("").refusal == "400 invalid_request")
        #expect(bench.ask("/introspect", [], as: "gateway").refusal == "400 invalid_request")
    }

    @Test func `only a POST is taken`() {
        #expect(bench.get("/oauth/introspect?token=x").status == .methodNotAllowed)
        #expect(bench.ask("/introspect?token=x", [], as: "gateway").refusal == "400 invalid_request")
    }
}
