import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// User info, and access tokens as they are sent. Sources: OpenID Connect Core 1.0 §5.3; RFC 6750.
struct UserinfoTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func claims(_ scope: String) throws -> Set<String> {
        let answer = bench.userinfo(try bench.loggedIn(scope) { $0.scope = ScopeList(scope) }["access_token"])
        #expect(answer.status == .ok)
        return Set(try answer.json([String: JSONValue].self).keys)
    }

    private static let profile: Set = [
        "sub", "name", "given_name", "family_name", "locale", "updated_at", "birthdate",
    ]

    @Test func `oidcc-userinfo-get: the token in the header field`() throws {
        let answer = bench.userinfo(try bench.loggedIn()["access_token"])
        #expect(answer.status == .ok)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.fields["sub"] == TokenCast.alice)
    }

    @Test func `oidcc-userinfo-post-header: the same with POST`() throws {
        let token = try bench.loggedIn()["access_token"] ?? ""
        let answer = bench.send(.post, "/oauth/userinfo", headers: ["Authorization": "Bearer \(token)"])
        #expect(answer.fields["sub"] == TokenCast.alice)
    }

    @Test func `oidcc-userinfo-post-body: the token in the form`() throws {
        let token = try bench.loggedIn()["access_token"] ?? ""
        #expect(bench.form("/userinfo", ["access_token": token]).fields["sub"] == TokenCast.alice)
    }

    @Test(arguments: ["bearer", "BEARER", "bEaReR"])
    func `access-token-type-header-case-sensitivity: the case of the scheme does not matter`(_ scheme: String)
        throws
    {
        let token = try bench.loggedIn()["access_token"] ?? ""
        #expect(bench.get("/oauth/userinfo", headers: ["Authorization": "\(scheme) \(token)"]).status == .ok)
    }

    @Test func `oidcc-scope-profile`() throws { #expect(try claims("openid profile") == Self.profile) }

    @Test func `oidcc-scope-email`() throws {
        #expect(try claims("openid email") == ["sub", "email", "email_verified"])
    }

    @Test func `oidcc-scope-address`() throws { #expect(try claims("openid address") == ["sub", "address"]) }

    @Test func `oidcc-scope-phone`() throws {
        #expect(try claims("phone openid") == ["sub", "phone_number", "phone_number_verified"])
    }

    @Test func `oidcc-scope-all`() throws {
        let all = Self.profile.union([
            "email", "email_verified", "address", "phone_number", "phone_number_verified",
        ])
        #expect(try claims("openid profile email address phone") == all)
    }

    @Test func `claims have the types of the standard, however the fixtures wrote them`() throws {
        let bench = try TestBench.mounted(
            TokenCast.fixtures("").replacing("\"email_verified\": true", with: "\"email_verified\": \"true\"")
                .replacing("1700000000", with: "\"1700000000\"")
                .replacing("{\"locality\": \"Oxford\"}", with: "\"Oxford\""))
        let token = try bench.loggedIn { $0.scope = ScopeList("openid profile email address") }[
            "access_token"]
        let claims = try bench.userinfo(token).json(JSONValue.self)
        #expect(claims["email_verified"] == true)
        #expect(claims["updated_at"] == 1_700_000_000)
        #expect(claims["address"] == ["formatted": "Oxford"])
    }

    @Test func `a claim may be asked for by name, without its scope`() throws {
        let token = try bench.loggedIn {
            $0.scope = ScopeList("openid")
            $0.claims = ["userinfo": ["name": ["essential": true], "phone_number": .null]]
        }["access_token"]
        let claims = try bench.userinfo(token).json([String: JSONValue].self)
        #expect(Set(claims.keys) == ["sub", "name", "phone_number"])
    }

    @Test(arguments: ["RS256", "ES256"])
    func `oidcc-userinfo-rs256: a client may want it signed`(_ algorithm: String) throws {
        let bench = try TestBench.tokens(web: #""userinfo_signed_response_alg": "\#(algorithm)""#)
        let answer = bench.userinfo(try bench.loggedIn()["access_token"])
        #expect(answer.headers["Content-Type"] == "application/jwt")
        let (header, claims) = try bench.verified(answer.text)
        #expect(header.algorithm.name == algorithm)
        #expect(claims["iss"] == .string(bench.issuer))
        #expect(claims["aud"] == "web")
        #expect(claims["sub"] == .string(TokenCast.alice))
        #expect(claims["email"] == "alice@example.com")
    }

    @Test func `without a token: a bare challenge and no word of an error`() {
        let answer = bench.get("/oauth/userinfo")
        #expect(answer.status == .unauthorized)
        #expect(answer.headers["WWW-Authenticate"] == "Bearer")
        #expect(answer.bytes.isEmpty)
        #expect(bench.explanation?.contains("found no such header field") == true)
    }

    @Test func `another scheme, and a token in the query, are no token`() {
        let basic = bench.get("/oauth/userinfo", headers: ["Authorization": "Basic YTpi"])
        #expect(basic.headers["WWW-Authenticate"] == "Bearer")
        #expect(bench.explanation?.contains("found the scheme “Basic”") == true)
        #expect(bench.get("/oauth/userinfo?access_token=abc").headers["WWW-Authenticate"] == "Bearer")
        #expect(bench.explanation?.contains("in the query") == true)
    }

    @Test(arguments: ["made-up", "a.b.c", "eyJhbGciOiJub25lIn0.eyJqdGkiOiJBVC4xIn0."])
    func `a token that is none of ours`(_ text: String) {
        let answer = bench.userinfo(text)
        #expect(answer.refusal == "401 invalid_token")
        #expect(
            answer.headers["WWW-Authenticate"]
                == "Bearer error=\"invalid_token\", error_description=\"The access token is not known\"")
    }

    @Test func `a token is good until its time is over`() throws {
        let bench = try TestBench.tokens(web: #""access_token_lifetime": 100"#)
        let token = try bench.loggedIn()["access_token"]
        try bench.clock.advance(seconds: 99)
        #expect(bench.userinfo(token).status == .ok)
        try bench.clock.advance(seconds: 3)
        #expect(bench.userinfo(token).refusal == "401 invalid_token")
        #expect(bench.explanation?.contains("expired 2 s ago") == true)
    }

    @Test func `a token without openid lacks the scope`() throws {
        let answer = bench.userinfo(try bench.loggedIn { $0.scope = ScopeList("profile") }["access_token"])
        #expect(answer.refusal == "403 insufficient_scope")
        #expect(answer.headers["WWW-Authenticate"]?.contains("scope=\"openid\"") == true)
        #expect(
            bench.explanation?.contains("user “248289761001” and client “web” and has “profile”")
                == true)
    }

    @Test func `a token of a client for itself stands for no user`() {
        let token = bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "openid")])
        #expect(bench.userinfo(token.fields["access_token"]).refusal == "401 invalid_token")
    }

    @Test func `a token in two places is refused, even the same`() throws {
        let token = try bench.loggedIn()["access_token"] ?? ""
        let header: Headers = ["Authorization": "Bearer \(token)"]
        #expect(
            bench.form("/userinfo", ["access_token": token], headers: header).refusal == "400 invalid_request"
        )
        let twice = bench.form("/userinfo", ["access_token": token, "access_token": token])
        #expect(twice.refusal == "400 invalid_request")
        #expect(
            bench.get("/oauth/userinfo?access_token=\(token)", headers: header).refusal
                == "400 invalid_request")
    }

    @Test func `an ID token is no access token`() throws {
        #expect(bench.userinfo(try bench.loggedIn()["id_token"]).refusal == "401 invalid_token")
    }

    @Test func `a JWT access token is accepted while it lives and not after it was revoked`() throws {
        let bench = try TestBench.tokens(web: #""access_token_format": "jwt""#)
        let token = try bench.loggedIn()["access_token"]
        #expect(bench.userinfo(token).fields["sub"] == TokenCast.alice)
        _ = bench.ask("/revoke", [("token", token ?? "")])
        #expect(bench.userinfo(token).refusal == "401 invalid_token")
    }

    @Test func `a JWT access token with a changed claim is refused for its signature`() throws {
        let bench = try TestBench.tokens(web: #""access_token_format": "jwt""#)
        let parts = (try bench.loggedIn()["access_token"] ?? "").split(separator: ".")
        let other = (try bench.loggedIn("other")["access_token"] ?? "").split(separator: ".")
        #expect(bench.userinfo("\(parts[0]).\(other[1]).\(parts[2])").refusal == "401 invalid_token")
        #expect(bench.explanation?.contains("the signature is wrong") == true)
    }

    @Test func `a token of another world is unknown here`() throws {
        let token = try bench.loggedIn()["access_token"]
        #expect(try TestBench.tokens().userinfo(token).refusal == "401 invalid_token")
    }
}
