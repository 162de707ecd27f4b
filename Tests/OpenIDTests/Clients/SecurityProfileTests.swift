import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// Source: FAPI 2.0 Security Profile §5.3.2; FAPI 2.0 Message Signing §5.3.1. Names in the style of modules are those of the conformance suite's plans.
struct SecurityProfileTests {
    private let kit: AssertionKit
    private let proofs: DPoPKit

    init() throws { (kit, proofs) = (try AssertionKit(), try DPoPKit()) }

    private func bench(
        _ settings: String = #""profile": "fapi2""#, _ more: String = ""
    ) throws -> TestBench<MountedServer> {
        try Cast.bench(
            """
            {"client_id": "keeper", "token_endpoint_auth_method": "private_key_jwt", "jwks": \(try kit.jwks),
             "scope": "openid offline_access", "redirect_uris": ["\(Cast.callback)"], "authorization_code_lifetime": 600,
             "grant_types": ["authorization_code", "refresh_token", "password"]\(more)}
            """, more: "\"settings\": {\(settings)}")
    }

    private typealias Fields = [(String, String)]

    /// - Parameter claims: of the assertion, changed; null takes one away.
    private func send(
        _ bench: TestBench<MountedServer>, _ path: String, _ fields: Fields, _ jti: String,
        claims: [String: JSONValue] = [:], proof: String? = nil
    ) throws -> Response {
        var all = AssertionKit.claims(bench, jti)
        for (name, value) in claims { all[name] = value.isNull ? nil : value }
        let fields =
            fields + [
                ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                ("client_assertion", try kit.assertion(all)),
            ]
        var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
        headers["DPoP"] = proof
        return bench.send(
            .post, "/oauth" + path, body: Array(Browser.encoded(fields).utf8), headers: headers)
    }

    private static func asked(_ changes: KeyValuePairs<String, String> = [:]) -> Fields {
        var fields = [
            ("response_type", "code"), ("redirect_uri", Cast.callback), ("scope", "openid offline_access"),
            ("state", "s"), ("code_challenge", TokenCast.challenge), ("code_challenge_method", "S256"),
        ]
        for (name, value) in changes {
            fields.removeAll { $0.0 == name }
            if !value.isEmpty { fields.append((name, value)) }
        }
        return fields
    }

    private func code(_ bench: TestBench<MountedServer>) throws -> String {
        let pushed = try send(bench, "/par", Self.asked(), "push")
        #expect(pushed.status == .created)
        let browser = Browser(bench)
        let page = browser.open(
            "/authorize", ["client_id": "keeper", "request_uri": pushed.fields["request_uri"] ?? ""])
        return try #require(browser.click("a-1", on: page).answer["code"])
    }

    private func redeem(
        _ code: String, _ bench: TestBench<MountedServer>, _ jti: String, proof: String?
    ) throws -> Response {
        try send(
            bench, "/token",
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Cast.callback),
                ("code_verifier", TokenCast.verifier),
            ], jti, proof: proof)
    }

    @Test func `a pushed login with a key of the client brings bound tokens, and the refresh token stays`()
        throws
    {
        let bench = try bench()
        let code = try code(bench)
        #expect(try redeem(code, bench, "1", proof: nil).refusal == "400 invalid_dpop_proof")
        let tokens = try redeem(code, bench, "2", proof: proofs.proof(bench, "POST", "/oauth/token", "a"))
        #expect(tokens.status == .ok && tokens.fields["token_type"] == "DPoP")
        let header = try #require(tokens.fields["id_token"]?.split(separator: ".").first)
        #expect(try JSONValue(parsing: try #require(Base64URL.decode(header)))["alg"] == "ES256")

        let refresh = tokens.fields["refresh_token"] ?? ""
        for number in ["3", "4"] {
            let again = try send(
                bench, "/token", [("grant_type", "refresh_token"), ("refresh_token", refresh)], number,
                proof: proofs.proof(bench, "POST", "/oauth/token", number))
            #expect(again.status == .ok && again.fields["refresh_token"] == nil)
        }
    }

    @Test func `a code lives a minute, whatever the client's registration says`() throws {
        let bench = try bench()
        let code = try code(bench)
        try bench.clock.advance(seconds: 61)
        let late = try redeem(code, bench, "1", proof: proofs.proof(bench, "POST", "/oauth/token", "a"))
        #expect(late.refusal == "400 invalid_grant")
    }

    @Test func `ensure-unsigned-authorization-request-without-using-par-fails`() throws {
        let bench = try bench()
        let visit = Browser(bench).open(
            "/authorize?" + Browser.encoded(Self.asked() + [("client_id", "keeper")]))
        #expect(visit.answer["error"] == "invalid_request" && visit.answer["state"] == "s")
        #expect(bench.explanation?.contains("/par") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test(
        arguments: [
            (["code_challenge_method": "plain"], "S256"), (["code_challenge_method": ""], "plain"),
            (["code_challenge": "", "code_challenge_method": ""], "code_challenge"),
        ] as [(KeyValuePairs<String, String>, String)])
    func `ensure-pkce-required and s256 alone`(
        _ changes: KeyValuePairs<String, String>, _ named: String
    ) throws {
        let bench = try bench()
        #expect(
            try send(bench, "/par", Self.asked(changes), "1").refusal == "400 invalid_request")
        #expect(bench.explanation?.contains(named) == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `client assertions name the issuer, as a text`() throws {
        let bench = try bench()
        let wrong: [JSONValue] = [
            .string(bench.issuer + "/token"), .string(bench.issuer + "/par"), [.string(bench.issuer)],
        ]
        for (number, audience) in wrong.enumerated() {
            let answer = try send(bench, "/par", Self.asked(), "\(number)", claims: ["aud": audience])
            #expect(answer.refusal == "401 invalid_client")
            #expect(bench.misshapenExplanations == [])
        }
        #expect(try send(bench, "/par", Self.asked(), "right").status == .created)
    }

    @Test func `secrets and passwords are refused`() throws {
        let bench = try bench()
        let secret = bench.form(
            "/par", ["response_type": "code"],
            headers: ["Authorization": TestBench<MountedServer>.basic("web", "s3cret")])
        #expect(secret.refusal == "401 invalid_client")
        #expect(bench.explanation?.contains("private_key_jwt") == true)
        let password = try send(
            bench, "/token", [("grant_type", "password"), ("username", "alice"), ("password", "wonderland")],
            "1", proof: proofs.proof(bench))
        #expect(password.refusal == "400 unsupported_grant_type")
        #expect(bench.misshapenExplanations == [])
    }

    private func object(
        _ bench: TestBench<MountedServer>, _ changes: [String: JSONValue] = [:]
    ) throws -> String {
        let now = Int(bench.clock.now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": "keeper", "aud": .string(bench.issuer), "client_id": "keeper", "nbf": .integer(now),
            "exp": .integer(now + 300),
        ]
        for (name, value) in Self.asked() { claims[name] = .string(value) }
        for (name, value) in changes { claims[name] = value.isNull ? nil : value }
        return try kit.assertion(claims)
    }

    @Test func `request objects have aud, exp and nbf, sixty minutes apart and old at the most`() throws {
        let bench = try bench()
        let now = Int(bench.clock.now.timeIntervalSince1970)
        let wrong: [(String, [String: JSONValue])] = [
            ("ensure-request-object-without-exp-fails", ["exp": .null]),
            ("ensure-request-object-without-nbf-fails", ["nbf": .null]),
            ("without aud", ["aud": .null]),
            ("ensure-request-object-with-exp-over-60-fails", ["exp": .integer(now + 4200)]),
            (
                "ensure-request-object-with-nbf-over-60-fails",
                ["nbf": .integer(now - 4200), "exp": .integer(now - 700)]
            ),
            ("nbf no number", ["nbf": "now"]),
        ]
        for (name, changes) in wrong {
            let answer = try send(bench, "/par", [("request", object(bench, changes))], name)
            #expect(answer.refusal == "400 invalid_request_object", "\(name)")
            #expect(bench.misshapenExplanations == [])
        }
        #expect(try send(bench, "/par", [("request", object(bench))], "right").status == .created)
    }

    @Test func `with message signing a pushed request is signed; without it, it may be`() throws {
        let signing = try bench(#""profile": "fapi2-message-signing""#)
        #expect(try send(signing, "/par", Self.asked(), "1").refusal == "400 invalid_request")
        #expect(signing.explanation?.contains("require_signed_request_object") == true)
        #expect(signing.misshapenExplanations == [])
        #expect(try send(signing, "/par", [("request", object(signing))], "2").status == .created)
        #expect(try send(bench(), "/par", Self.asked(), "1").status == .created)
    }

    @Test func `the metadata say what is demanded`() throws {
        let document = try JSONValue(
            parsing: bench(#""profile": "fapi2-message-signing""#)
                .get("/oauth/.well-known/openid-configuration").bytes)
        #expect(document["code_challenge_methods_supported"] == ["S256"])
        #expect(document["require_pushed_authorization_requests"] == true)
        #expect(document["require_signed_request_object"] == true)
        #expect(document["token_endpoint_auth_methods_supported"] == ["private_key_jwt"])
        #expect(document["token_endpoint_auth_signing_alg_values_supported"] == ["PS256", "ES256"])
        #expect(document["dpop_signing_alg_values_supported"]?.strings?.contains("RS256") == false)
        #expect(document["id_token_signing_alg_values_supported"]?.strings?.contains("RS256") == false)
    }

    // The switches one by one, of a server without a profile.

    @Test func `pkce required takes any method, S256 that alone`() throws {
        let plain: KeyValuePairs = ["code_challenge": TokenCast.verifier, "code_challenge_method": "plain"]
        for (setting, answer) in [("required", nil), ("S256", "invalid_request")] {
            let bench = try bench("\"pkce\": \"\(setting)\"")
            #expect(Browser(bench).open(Cast.request()).answer["error"] == "invalid_request")
            #expect(Browser(bench).open(Cast.request(plain)).answer["error"] == answer)
            #expect(bench.misshapenExplanations == [])
        }
    }

    @Test func `strict_audience and require_pushed_authorization_requests stand alone`() throws {
        let strict = try bench(#""strict_audience": true"#)
        let claims: [String: JSONValue] = ["aud": .string(strict.issuer + "/token")]
        #expect(
            try send(strict, "/par", Self.asked(), "1", claims: claims).refusal == "401 invalid_client")
        #expect(Browser(strict).open(Cast.request()).heading == "Log in")

        let pushing = try bench(#""require_pushed_authorization_requests": true"#)
        #expect(Browser(pushing).open(Cast.request()).answer["error"] == "invalid_request")
        #expect(
            try send(pushing, "/par", Self.asked(), "1", claims: ["aud": .string(pushing.issuer + "/par")])
                .status == .created)
    }

    @Test func `a setting has the last word over the profile`() throws {
        let bench = try bench(
            #""profile": "fapi2", "require_pushed_authorization_requests": false, "pkce": "required""#)
        let visit = Browser(bench).open(
            "/authorize?"
                + Browser.encoded(Self.asked(["code_challenge_method": "plain"]) + [("client_id", "keeper")]))
        #expect(visit.heading == "Log in")
    }

    @Test func `a client can demand both of itself. Source: RFC 9126 §6, RFC 9101 §10.5`() throws {
        let bench = try bench(
            #""request_objects": true"#,
            #", "require_pushed_authorization_requests": true, "require_signed_request_object": true"#)
        let visit = Browser(bench).open(
            "/authorize?" + Browser.encoded(Self.asked() + [("client_id", "keeper")]))
        #expect(visit.answer["error"] == "invalid_request")
        #expect(try send(bench, "/par", Self.asked(), "1").refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("the client is set up") == true)
        #expect(bench.misshapenExplanations == [])
        let object = try object(bench, ["nbf": .null, "exp": .null])
        #expect(try send(bench, "/par", [("request", object)], "2").status == .created)
    }
}
