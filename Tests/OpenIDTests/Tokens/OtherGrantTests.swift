import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// The grants `client_credentials` and `password`. Source: RFC 6749 §4.3, §4.4.
struct OtherGrantTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    @Test func `a client gets a token for itself, without refresh token and ID token`() {
        let answer = bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "read openid")])
        #expect(answer.status == .ok)
        #expect(Set(answer.fields.keys) == ["access_token", "token_type", "expires_in", "scope"])
        #expect(bench.isActive(answer.fields["access_token"]))
    }

    @Test(arguments: ["opaque", "jwt"])
    func `claims of the client are in the tokens that it gets for itself, and in no user's`(
        _ format: String
    ) throws {
        let bench = try TestBench.tokens(
            web:
                #""access_token_format": "\#(format)", "claims": {"roles": ["admin"], "tenant": {"id": 7}}"#)
        let own = bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "read")]).fields
        let claims =
            format == "jwt"
            ? try bench.verified(own["access_token"]).claims : try bench.introspected(own["access_token"])
        #expect(claims["roles"] == ["admin"] && claims["tenant"] == ["id": 7])
        #expect(claims["sub"] == "web" || format == "opaque")

        let users = bench.ask(
            "/token",
            [
                ("grant_type", "password"), ("username", "alice"), ("password", "wonderland"),
                ("scope", "read"),
            ]
        ).fields
        let told =
            format == "jwt"
            ? try bench.verified(users["access_token"]).claims
            : try bench.introspected(users["access_token"])
        #expect(told["roles"] == nil && told["active"] != false)
    }

    @Test func `a claim that the server itself says cannot be the client's`() {
        #expect(throws: (any Error).self) { try TestBench.tokens(web: #""claims": {"aud": "x"}"#) }
    }

    @Test func `its tokens die one by one`() {
        let fields = [("grant_type", "client_credentials"), ("scope", "read")]
        let (one, other) = (bench.ask("/token", fields).fields, bench.ask("/token", fields).fields)
        #expect(one["access_token"] != other["access_token"])
        _ = bench.ask("/revoke", [("token", one["access_token"] ?? "")])
        #expect(!bench.isActive(one["access_token"]))
        #expect(bench.isActive(other["access_token"]))
    }

    @Test func `a client without credentials gets none`() {
        let answer = bench.ask(
            "/token", [("grant_type", "client_credentials"), ("scope", "read")], as: "app")
        #expect(answer.refusal == "400 unauthorized_client")
        #expect(bench.explanation?.contains("has no credentials") == true)
    }

    @Test func `scopes that the client may not have are refused, never left out`() {
        let answer = bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "read admin")])
        #expect(answer.refusal == "400 invalid_scope")
        #expect(bench.ask("/token", [("grant_type", "client_credentials")]).refusal == "400 invalid_scope")
    }

    @Test func `without a word the client gets its default scope`() throws {
        let bench = try TestBench.tokens(web: #""default_scope": "read""#)
        #expect(bench.ask("/token", [("grant_type", "client_credentials")]).fields["scope"] == "read")
    }

    @Test func `an audience that the client may not ask for is refused`() {
        let answer = bench.ask(
            "/token",
            [("grant_type", "client_credentials"), ("scope", "read"), ("resource", "https://bank.example")])
        #expect(answer.refusal == "400 invalid_target")
    }

    @Test func `a user name and its password bring tokens`() throws {
        let answer = bench.ask(
            "/token",
            [
                ("grant_type", "password"), ("username", "alice"), ("password", "wonderland"),
                ("scope", "openid"),
            ])
        #expect(answer.status == .ok)
        let claims = try bench.verified(answer.fields["id_token"]).claims
        #expect(claims["sub"] == .string(TokenCast.alice))
        #expect(claims["amr"] == ["pwd"])
        #expect(claims["auth_time"]?.integer == claims["iat"]?.integer)
        #expect(answer.fields["refresh_token"] != nil)
    }

    @Test(arguments: [
        ("alice", "Wonderland", "password is another one"), ("bob", "x", "There is no user “bob”"),
    ])
    func `a wrong password and a wrong name are answered alike`(
        _ name: String, _ password: String, _ told: String
    ) {
        let answer = bench.ask(
            "/token",
            [("grant_type", "password"), ("username", name), ("password", password), ("scope", "openid")])
        #expect(
            answer.fields == [
                "error": "invalid_grant", "error_description": "User name or password is wrong",
            ])
        #expect(bench.explanation?.contains(told) == true)
    }
}
