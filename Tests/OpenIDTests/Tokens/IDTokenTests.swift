import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// Signed tokens. Sources: OpenID Connect Core 1.0 §2, §3.1.3.6; RFC 9068.
struct IDTokenTests {
    @Test func `half hashes are those of OpenID Connect Core 1.0 appendix A_4`() {
        #expect(
            IDToken.halfHash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", .rs256)
                == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(
            IDToken.halfHash("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", .rs256)
                == "LDktKdoQak3Pk0cnXxCltA")
    }

    @Test func `oidcc-idtoken-signature: RS256 with the id of the key, unless the client wants another`()
        throws
    {
        let usual = try TestBench.tokens()
        let header = try usual.verified(try usual.loggedIn()["id_token"]).header
        #expect(header.algorithm == .rs256)
        #expect(header.keyID == TestKeys.rsaID)

        let curve = try TestBench.tokens(web: #""id_token_signed_response_alg": "ES256""#)
        let other = try curve.verified(try curve.loggedIn()["id_token"]).header
        #expect(other.algorithm == .es256)
        #expect(other.keyID == TestKeys.ecID)
    }

    @Test func `oidcc-idtoken-rs256: a client that asks for RS256 gets it, with a key of the key set`() throws
    {
        let bench = try TestBench.tokens(web: #""id_token_signed_response_alg": "RS256""#)
        let header = try bench.verified(try bench.loggedIn()["id_token"]).header
        #expect(header.algorithm == .rs256)
        let keys = try bench.get("/oauth/jwks").json(JSONValue.self)["keys"]?.array ?? []
        let key = keys.first { $0["kid"]?.string == header.keyID }
        #expect(key?["kty"] == "RSA" && key?["alg"] == "RS256" && key?["use"] == "sig")
    }

    @Test func `an ID token says who, for whom, when, and where it belongs`() throws {
        let bench = try TestBench.tokens()
        let answer = try bench.loggedIn()
        let claims = try bench.verified(answer["id_token"]).claims
        // 2026-01-02T03:04:05Z, the hour of the bench.
        let now = 1_767_323_045
        #expect(
            claims == [
                "iss": "http://localhost:8420/oauth", "sub": "248289761001", "aud": "web",
                "iat": .integer(now), "exp": .integer(now + 3600), "auth_time": .integer(now - 5),
                "nonce": "n-0S6_WzA2Mj", "sid": "session-1", "amr": ["pwd"],
                "at_hash": .string(IDToken.halfHash(answer["access_token"] ?? "", .rs256)),
            ])
    }

    @Test func `its iat is no fraction and never ahead of the clock`() throws {
        let bench = try TestBench.tokens()
        try bench.clock.advance(seconds: 0.999)
        let claims = try bench.verified(try bench.loggedIn()["id_token"]).claims
        #expect(claims["iat"] == 1_767_323_045)
    }

    @Test func `several audiences are a list and name the client as azp`() throws {
        let bench = try TestBench.tokens(web: #""id_token_audiences": ["https://api.example", "web"]"#)
        let claims = try bench.verified(try bench.loggedIn()["id_token"]).claims
        #expect(claims["aud"] == ["web", "https://api.example"])
        #expect(claims["azp"] == "web")
    }

    @Test func `an acr that was reached is told`() throws {
        let bench = try TestBench.tokens()
        let answer = try bench.loggedIn { $0.acr = "urn:mace:incommon:iap:silver" }
        #expect(try bench.verified(answer["id_token"]).claims["acr"] == "urn:mace:incommon:iap:silver")
    }

    @Test func `oidcc-claims-essential: claims asked for by name are in the ID token, others are not`() throws
    {
        let bench = try TestBench.tokens()
        let answer = try bench.loggedIn {
            $0.claims = [
                "id_token": [
                    "name": ["essential": true], "email": .null, "locale": ["value": "de-DE"],
                    "birthdate": ["values": ["1852-05-04"]], "unheard_of": ["essential": true],
                ]
            ]
        }
        let claims = try bench.verified(answer["id_token"]).claims
        #expect(claims["name"] == "Alice Liddell")
        #expect(claims["email"] == "alice@example.com")
        #expect(claims["birthdate"] == "1852-05-04")
        #expect(claims["locale"] == nil)
        #expect(claims["unheard_of"] == nil)
        #expect(claims["phone_number"] == nil)
    }

    @Test func `claims that were asked for cannot displace those of the token`() throws {
        let bench = try TestBench.mounted(
            TokenCast.fixtures("").replacing(
                "\"locale\": \"en-GB\"", with: "\"iss\": \"evil\", \"aud\": \"evil\""))
        let answer = try bench.loggedIn { $0.claims = ["id_token": ["iss": .null, "aud": .null]] }
        let claims = try bench.verified(answer["id_token"]).claims
        #expect(claims["iss"] == "http://localhost:8420/oauth")
        #expect(claims["aud"] == "web")
    }

    @Test func `the issuer is that of the login, also when the client comes by another name`() throws {
        let bench = try TestBench.tokens()
        let answer = try bench.loggedIn { $0.issuer = "http://10.0.2.2:8420/oauth" }
        #expect(try bench.verified(answer["id_token"]).claims["iss"] == "http://10.0.2.2:8420/oauth")
        #expect(
            try bench.verified(bench.refresh(answer["refresh_token"]).fields["id_token"]).claims["iss"]
                == "http://10.0.2.2:8420/oauth")
    }

    @Test(arguments: ["RS256", "ES256"])
    func `a JWT access token follows RFC 9068`(_ algorithm: String) throws {
        let bench = try TestBench.tokens(
            web: #""access_token_format": "jwt", "access_token_signed_response_alg": "\#(algorithm)""#)
        let (header, claims) = try bench.verified(try bench.loggedIn()["access_token"])
        #expect(header.type == "at+jwt")
        #expect(header.algorithm.name == algorithm)
        let now = 1_767_323_045
        let id = try #require(claims["jti"]?.string)
        #expect(
            id.wholeMatch(of: /AT\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
                != nil)
        #expect(
            claims == [
                "iss": "http://localhost:8420/oauth", "sub": "248289761001",
                "aud": ["https://api.example", "https://other.example"],
                "client_id": "web", "cid": "web", "iat": .integer(now), "nbf": .integer(now),
                "exp": .integer(now + 3600), "jti": .string(id), "scope": "openid profile email read",
                "scp": ["openid", "profile", "email", "read"], "ver": 1,
            ])
    }

    @Test func `the JWT of a client for itself has the client as its subject, and the audience it asked for`()
        throws
    {
        let bench = try TestBench.tokens(web: #""access_token_format": "jwt""#)
        let fields = [("grant_type", "client_credentials"), ("scope", "read")]
        let one = bench.ask("/token", fields + [("resource", "https://api.example")])
        let claims = try bench.verified(one.fields["access_token"]).claims
        #expect(claims["sub"] == "web")
        #expect(claims["aud"] == "https://api.example")
        let two = bench.ask(
            "/token", fields + [("resource", "https://api.example"), ("resource", "https://other.example")])
        #expect(
            try bench.verified(two.fields["access_token"]).claims["aud"]
                == ["https://api.example", "https://other.example"])
    }
}
