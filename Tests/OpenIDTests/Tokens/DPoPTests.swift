import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// Tokens that are bound to a key of the client. Source: RFC 9449.
struct DPoPTests {
    let bench: TestBench<MountedServer>
    let kit: DPoPKit

    init() throws {
        bench = try Self.bench()
        kit = try DPoPKit()
    }

    private static func bench(_ settings: String = #"{"dpop": true}"#) throws -> TestBench<MountedServer> {
        try .mounted("\"settings\": \(settings), " + TokenCast.fixtures(""))
    }

    private static let machine = [("grant_type", "client_credentials"), ("scope", "read")]

    private func redeemed(_ code: String, as client: String = "web", _ jti: String = "one") throws -> Response
    {
        let redirect = client == "app" ? "com.example:/cb" : TokenCast.callback
        return bench.ask(
            [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect)],
            proof: try kit.proof(bench, "POST", "/oauth/token", jti), as: client)
    }

    private func appCode(_ name: String = "code", _ change: (inout AuthorizationCode) -> Void = { _ in })
        throws -> String
    {
        try bench.logIn(
            client: "app", name,
            code: {
                $0.redirectURI = "com.example:/cb"
                change(&$0)
            })
    }

    @Test func `a proof at the token endpoint binds the token to its key`() throws {
        let answer = bench.ask(Self.machine, proof: try kit.proof(bench), as: "machine")
        #expect(answer.status == .ok)
        #expect(answer.fields["token_type"] == "DPoP")
        let (_, claims) = try bench.verified(answer.fields["access_token"])
        #expect(claims["cnf"]?["jkt"] == .string(try kit.thumbprint))
        let told = bench.ask("/introspect", [("token", answer.fields["access_token"] ?? "")], as: "gateway")
        #expect(told.fields["token_type"] == "DPoP")
        #expect(try JSONValue(parsing: told.bytes)["cnf"]?["jkt"] == .string(try kit.thumbprint))
    }

    @Test func `a bound token is good with a proof of its key alone`() throws {
        let token = try #require(try redeemed(try bench.logIn()).fields["access_token"])
        let ath: [String: JSONValue] = ["ath": DPoPKit.hash(token)]
        let good = try kit.proof(bench, "GET", "/oauth/userinfo", "two", ath)
        #expect(bench.userinfo(token, proof: good).status == .ok)

        let bearer = bench.userinfo(token)
        #expect(bearer.refusal == "401 invalid_token")
        #expect(
            bearer.headers.values(of: "WWW-Authenticate").contains {
                $0.hasPrefix("DPoP ") && $0.contains("algs=")
            })
        let none = bench.userinfo(token, proof: nil)
        #expect(none.refusal == "401 invalid_dpop_proof")
        let other = try DPoPKit().proof(bench, "GET", "/oauth/userinfo", "three", ath)
        #expect(bench.userinfo(token, proof: other).refusal == "401 invalid_token")
        #expect(bench.explanation?.contains(try kit.thumbprint) == true)
        let unhashed = try kit.proof(bench, "GET", "/oauth/userinfo", "four")
        #expect(bench.userinfo(token, proof: unhashed).refusal == "401 invalid_dpop_proof")
        let wrongHash = try kit.proof(bench, "GET", "/oauth/userinfo", "five", ["ath": DPoPKit.hash("other")])
        #expect(bench.userinfo(token, proof: wrongHash).refusal == "401 invalid_dpop_proof")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a token without a key is no DPoP token`() throws {
        let token = try #require(try bench.loggedIn()["access_token"])
        let proof = try kit.proof(bench, "GET", "/oauth/userinfo", "two", ["ath": DPoPKit.hash(token)])
        #expect(bench.userinfo(token, proof: proof).refusal == "401 invalid_token")
        #expect(bench.explanation?.contains("Bearer") == true)
    }

    @Test func `a proof is good for one request`() throws {
        let proof = try kit.proof(bench)
        #expect(bench.ask(Self.machine, proof: proof, as: "machine").status == .ok)
        #expect(bench.ask(Self.machine, proof: proof, as: "machine").refusal == "400 invalid_dpop_proof")
        #expect(bench.explanation?.contains("used before") == true)
    }

    /// RFC 9449 §4.3, steps 2 to 11.
    @Test(
        arguments: [
            (["typ": "JWT"], [:], "typ"), (["alg": "none"], [:], "alg"), (["alg": "HS256"], [:], "alg"),
            (["jwk": .null], [:], "jwk"), ([:], ["htm": "GET"], "htm"),
            ([:], ["htu": "http://localhost:8420/oauth/userinfo"], "htu"), ([:], ["jti": .null], "jti"),
            ([:], ["iat": .null], "iat"), ([:], ["iat": 1_000_000], "iat"), ([:], ["htm": .null], "htm"),
            ([:], ["iat": 99_999_999_999], "iat"),
        ] as [([String: JSONValue], [String: JSONValue], String)])
    func `a proof with one thing wrong is refused, and the journal names it`(
        _ header: [String: JSONValue], _ claims: [String: JSONValue], _ named: String
    ) throws {
        let proof = try kit.proof(bench, "POST", "/oauth/token", "one", claims, header: header)
        let answer = bench.ask(Self.machine, proof: proof, as: "machine")
        #expect(answer.refusal == "400 invalid_dpop_proof")
        #expect(bench.explanation?.contains(named) == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a private key in the proof, a wrong signature and two proofs are refused`() throws {
        let secret = try JSONValue(parsing: [UInt8](JSONEncoder().encode(JWK(.privateKey(kit.key)))))
        let revealing = try kit.proof(bench, "POST", "/oauth/token", "a", header: ["jwk": secret])
        let stolen = try kit.proof(bench, "POST", "/oauth/token", "b", header: ["jwk": try DPoPKit().jwk])
        for proof in [revealing, stolen, "x", "a.b.c", ""] {
            #expect(bench.ask(Self.machine, proof: proof, as: "machine").refusal == "400 invalid_dpop_proof")
        }
        var request = Request(
            .post, "/oauth/token",
            headers: [
                "Content-Type": "application/x-www-form-urlencoded",
                "Authorization": TestBench<MountedServer>.basic("machine", "machine-secret"),
            ], body: Array("grant_type=client_credentials".utf8))
        request.headers.add("DPoP", try kit.proof(bench, "POST", "/oauth/token", "c"))
        request.headers.add("DPoP", try kit.proof(bench, "POST", "/oauth/token", "d"))
        #expect(bench.send(request).refusal == "400 invalid_dpop_proof")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the query and fragment of htu do not count, nor the case of its host`() throws {
        let odd: [String: JSONValue] = ["htu": "HTTP://LOCALHOST:8420/oauth/token?a=b#c"]
        let proof = try kit.proof(bench, "POST", "/oauth/token", "one", odd)
        #expect(bench.ask(Self.machine, proof: proof, as: "machine").status == .ok)
    }

    @Test func `a public client's refresh token is bound to its key`() throws {
        let first = try redeemed(try appCode(), as: "app").fields
        #expect(first["token_type"] == "DPoP")
        let refresh = [("grant_type", "refresh_token"), ("refresh_token", first["refresh_token"] ?? "")]
        let other = try DPoPKit().proof(bench, "POST", "/oauth/token", "x")
        #expect(bench.ask(refresh, proof: nil, as: "app").refusal == "400 invalid_dpop_proof")
        #expect(bench.ask(refresh, proof: other, as: "app").refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains(try kit.thumbprint) == true)
        let next = bench.ask(refresh, proof: try kit.proof(bench, "POST", "/oauth/token", "two"), as: "app")
        #expect(next.status == .ok && next.fields["token_type"] == "DPoP")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a client with a secret may refresh with another key`() throws {
        let first = try redeemed(try bench.logIn()).fields
        let refresh = [("grant_type", "refresh_token"), ("refresh_token", first["refresh_token"] ?? "")]
        let other = try DPoPKit()
        let next = bench.ask(refresh, proof: try other.proof(bench, "POST", "/oauth/token", "x"))
        #expect(next.fields["token_type"] == "DPoP")
    }

    @Test func `a code that was asked for with dpop_jkt is good for that key alone`() throws {
        let thumbprint = try kit.thumbprint
        let code = try appCode("a") { $0.proofKey = thumbprint }
        let fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", "com.example:/cb"),
        ]
        #expect(bench.ask(fields, proof: nil, as: "app").refusal == "400 invalid_dpop_proof")
        let other = try DPoPKit().proof(bench, "POST", "/oauth/token", "x")
        #expect(bench.ask(fields, proof: other, as: "app").refusal == "400 invalid_grant")
        #expect(try redeemed(code, as: "app", "y").status == .ok)
    }

    @Test func `a client that is registered for bound tokens gets no others`() throws {
        let bench = try TestBench.mounted(
            """
            "settings": {"dpop": true}, "clients": [{"client_id": "machine", "client_secret": "machine-secret",
             "grant_types": ["client_credentials"], "response_types": [], "scope": "read",
             "dpop_bound_access_tokens": true}]
            """)
        #expect(bench.ask(Self.machine, proof: nil, as: "machine").refusal == "400 invalid_dpop_proof")
        #expect(bench.ask(Self.machine, proof: try kit.proof(bench), as: "machine").status == .ok)
    }

    @Test func `where the server wants a nonce it hands one out, at both places`() throws {
        let bench = try Self.bench(#"{"dpop": true, "dpop_nonce": true}"#)
        let first = bench.ask(Self.machine, proof: try kit.proof(bench), as: "machine")
        #expect(first.refusal == "400 use_dpop_nonce")
        let nonce = try #require(first.headers["DPoP-Nonce"])
        let claims: [String: JSONValue] = ["nonce": .string(nonce)]
        let good = bench.ask(
            Self.machine, proof: try kit.proof(bench, "POST", "/oauth/token", "2", claims), as: "machine")
        #expect(good.status == .ok && good.headers["DPoP-Nonce"] != nil)
        let wrong = try kit.proof(bench, "POST", "/oauth/token", "3", ["nonce": "made up"])
        #expect(bench.ask(Self.machine, proof: wrong, as: "machine").refusal == "400 use_dpop_nonce")

        let token = try #require(good.fields["access_token"])
        var ath: [String: JSONValue] = ["ath": DPoPKit.hash(token)]
        let asked = bench.userinfo(token, proof: try kit.proof(bench, "GET", "/oauth/userinfo", "4", ath))
        #expect(asked.refusal == "401 use_dpop_nonce")
        #expect(asked.headers["WWW-Authenticate"]?.hasPrefix("DPoP error=\"use_dpop_nonce\"") == true)
        ath["nonce"] = .string(try #require(asked.headers["DPoP-Nonce"]))
        let told = bench.userinfo(token, proof: try kit.proof(bench, "GET", "/oauth/userinfo", "5", ath))
        #expect(told.refusal != "401 use_dpop_nonce")
        try bench.clock.advance(seconds: 3600)
        #expect(
            bench.ask(
                Self.machine, proof: try kit.proof(bench, "POST", "/oauth/token", "6", claims), as: "machine"
            )
            .refusal == "400 use_dpop_nonce")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the metadata say what is offered, and nothing where it is not`() throws {
        let algorithms = try JSONValue(parsing: bench.get("/oauth/.well-known/openid-configuration").bytes)[
            "dpop_signing_alg_values_supported"]?.strings
        #expect(algorithms?.contains("ES256") == true && algorithms?.contains("none") == false)

        let plain = try TestBench.tokens()
        let metadata = try JSONValue(parsing: plain.get("/oauth/.well-known/openid-configuration").bytes)
        #expect(metadata["dpop_signing_alg_values_supported"] == nil)
        let answer = plain.ask(Self.machine, proof: try kit.proof(plain), as: "machine")
        #expect(answer.fields["token_type"] == "Bearer")
        #expect(plain.explanation?.contains("\"dpop\": true") == true)
    }
}
