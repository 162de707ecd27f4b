import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit

/// A client with a key pair, and the assertions that it makes. Source: RFC 7523 §3.
struct AssertionKit {
    let key: JWK

    init() throws {
        key = JWK(.privateKey(try .generate(.ec(.p256))), keyID: "client-key", algorithm: "ES256", use: "sig")
    }

    /// The public half, as the member `jwks` has it.
    var jwks: String {
        get throws {
            String(decoding: try JWKS([key]).published.json(), as: UTF8.self)
        }
    }

    /// What a right assertion of the client `keeper` says, at the time of the bench.
    static func claims(_ bench: TestBench<MountedServer>, _ jti: String = "one") -> [String: JSONValue] {
        let now = Int(bench.clock.now.timeIntervalSince1970)
        return [
            "iss": "keeper", "sub": "keeper", "aud": .string(bench.issuer), "iat": .integer(now),
            "exp": .integer(now + 60), "jti": .string(jti),
        ]
    }

    func assertion(_ claims: [String: JSONValue]) throws -> String {
        try JWT.sign(JSONValue.object(claims), with: key)
    }

    /// A request that carries the assertion in its form.
    func request(_ assertion: String, _ more: String = "") -> Request {
        let type = "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
        return Request(
            .post, "/oauth/token", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array("client_assertion_type=\(type)&client_assertion=\(assertion)\(more)".utf8))
    }
}
