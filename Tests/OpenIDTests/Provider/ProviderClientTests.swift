import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import Synchronization
import TestKit
import Testing

@testable import OpenID

@Suite struct ProviderClientTests {
    private let now = ManualTime.start
    private let login = ProviderLogin(code: "the code", nonce: "the-nonce", codeVerifier: "the~verifier")

    private func provider(_ change: (inout ProviderSettings) -> Void = { _ in }) -> ProviderSettings {
        var provider = ProviderSettings(
            issuer: "https://id.example", clientID: "the client", clientSecret: "se:cret",
            redirectURI: "app:/back")
        change(&provider)
        return provider
    }

    private func claims(_ change: (inout [String: JSONValue]) -> Void = { _ in }) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [
            "iss": "https://id.example", "aud": ["another", "the client"], "sub": "eva", "nonce": "the-nonce",
            "exp": .integer(Int(now.timeIntervalSince1970) + 60),
        ]
        change(&claims)
        return claims
    }

    private final class Calls: Sendable {
        let all = Mutex<[(method: Request.Method, url: String, headers: Headers, body: String)]>([])
    }

    private func ask(
        _ provider: ProviderSettings, _ claims: [String: JSONValue], key: String = TestKeys.rsa,
        algorithm: JWSAlgorithm = .rs256, calls: Calls = Calls(), answers: [String: Response] = [:]
    ) throws -> String {
        let token = try JWT.sign(
            claims, header: JWSHeader(algorithm, keyID: "k"), key: .privateKey(PrivateKey(pem: key + "\n")))
        let keys = try JWKS([
            JWK(.publicKey(PrivateKey(pem: TestKeys.rsa + "\n").publicKey), keyID: "k"),
            JWK(.publicKey(PrivateKey(pem: TestKeys.ec + "\n").publicKey), keyID: "k"),
        ])
        let web = WebCalls { method, url, headers, body in
            calls.all.withLock { $0.append((method, url, headers, String(decoding: body, as: UTF8.self))) }
            if let answer = answers[url] { return answer }
            switch url {
            case "https://id.example/.well-known/openid-configuration":
                return try .json([
                    "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
                ])
            case "https://id.example/token": return try .json(["id_token": token])
            case "https://id.example/keys": return try .json(keys)
            default: throw WebCallFailed("nobody listens")
            }
        }
        return try ProviderClient(provider, web: web).user(login, at: now).subject
    }

    @Test func `the code is traded as RFC 6749 and RFC 7636 have it`() throws {
        let calls = Calls()
        #expect(try ask(provider(), claims(), calls: calls) == "eva")
        let all = calls.all.withLock { $0 }
        #expect(
            all.map(\.url) == [
                "https://id.example/.well-known/openid-configuration", "https://id.example/token",
                "https://id.example/keys",
            ])
        let form = Form(all[1].body)
        #expect(form["grant_type"] == "authorization_code" && form["code"] == "the code")
        #expect(form["redirect_uri"] == "app:/back" && form["code_verifier"] == "the~verifier")
        #expect(form["client_id"] == nil)
        // base64("the%20client:se%3Acret")
        #expect(all[1].headers["Authorization"] == "Basic dGhlJTIwY2xpZW50OnNlJTNBY3JldA==")
    }

    @Test func `clients show themselves in other ways where that is set`() throws {
        let calls = Calls()
        _ = try ask(provider { $0.clientAuthenticationMethod = "client_secret_post" }, claims(), calls: calls)
        _ = try ask(provider { $0.clientSecret = nil }, claims(), calls: calls)
        let forms = calls.all.withLock { $0 }.filter { $0.url.hasSuffix("/token") }
        #expect(
            forms.allSatisfy {
                $0.headers["Authorization"] == nil && Form($0.body)["client_id"] == "the client"
            })
        #expect(forms.map { Form($0.body)["client_secret"] } == ["se:cret", nil])
        #expect(
            throws: ProviderRefusal.settingUnsupported("it does not support clientAuthenticationMethod mtls")
        ) {
            try ask(provider { $0.clientAuthenticationMethod = "mtls" }, claims())
        }
    }

    @Test func `endpoints that are set need no discovery`() throws {
        let calls = Calls()
        _ = try ask(
            provider {
                ($0.tokenEndpoint, $0.keysEndpoint) = ("https://id.example/token", "https://id.example/keys")
            },
            claims(), calls: calls)
        #expect(
            calls.all.withLock { $0 }.map(\.url) == ["https://id.example/token", "https://id.example/keys"])
    }

    @Test func `a token is asked for everything`() throws {
        let cases: [(String, (inout [String: JSONValue]) -> Void)] = [
            (
                "iss is https://evil.example, expected https://id.example",
                { $0["iss"] = "https://evil.example" }
            ),
            ("aud is another, expected the client", { $0["aud"] = "another" }),
            ("aud is , expected the client", { $0["aud"] = nil }),
            ("nonce is old, expected the-nonce", { $0["nonce"] = "old" }),
            ("nonce is missing, expected the-nonce", { $0["nonce"] = nil }),
            ("exp is missing", { $0["exp"] = nil }),
            ("sub is missing", { $0["sub"] = nil }),
        ]
        for (reason, change) in cases {
            #expect(throws: ProviderRefusal.tokenWrong(reason)) { try ask(provider(), claims(change)) }
        }
        #expect(throws: ProviderRefusal.self) { try ask(provider(), claims { $0["exp"] = 1 }) }
    }

    @Test func `the signature is by the set algorithm and a published key`() throws {
        #expect(throws: ProviderRefusal.tokenWrong("alg is ES256, expected RS256")) {
            try ask(provider(), claims(), key: TestKeys.ec, algorithm: .es256)
        }
        let user = try ask(
            provider { $0.signatureAlgorithm = "ES256" }, claims(), key: TestKeys.ec, algorithm: .es256)
        #expect(user == "eva")
    }

    @Test func `what the provider answers wrongly is told`() throws {
        let cases: [(String, Response, String)] = [
            (
                "https://id.example/token", Response(status: .badRequest, body: Array("invalid_grant".utf8)),
                "it answered 400 invalid_grant"
            ),
            ("https://id.example/token", Response(body: Array("{}".utf8)), "its answer has no id_token"),
            ("https://id.example/token", Response(body: Array("<".utf8)), "its answer is not a JSON object"),
            ("https://id.example/keys", Response(body: Array("{}".utf8)), "its keys cannot be read"),
            (
                "https://id.example/.well-known/openid-configuration", Response(body: Array("{}".utf8)),
                "it names no token_endpoint"
            ),
        ]
        for (url, answer, told) in cases {
            do {
                _ = try ask(provider(), claims(), answers: [url: answer])
                Issue.record("\(told) was not told")
            } catch let refusal as ProviderRefusal {
                #expect(
                    refusal.explanation.contains("could not be asked at \(url): \(told)"),
                    "\(refusal.explanation)")
            }
        }
    }
}
