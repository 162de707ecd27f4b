import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit

/// A client's key and the proofs that it makes, put together without the server's own code. Source: RFC 9449 §4.
struct DPoPKit {
    let key: PrivateKey

    init() throws { key = try .generate(.ec(.p256)) }

    var jwk: JSONValue {
        get throws {
            try JSONValue(parsing: [UInt8](JSONEncoder().encode(JWK(.publicKey(key.publicKey)))))
        }
    }

    /// RFC 7638 §3 by hand.
    var thumbprint: String {
        get throws {
            let jwk = try jwk
            let text =
                "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(jwk["x"]?.string ?? "")\",\"y\":\"\(jwk["y"]?.string ?? "")\"}"
            return Base64URL.encode(Digest.sha256(Array(text.utf8)))
        }
    }

    /// - Parameters:
    ///   - changes: of the claims; null takes one away.
    ///   - header: the same of the header.
    func proof(
        _ bench: TestBench<MountedServer>, _ method: String = "POST", _ path: String = "/oauth/token",
        _ jti: String = "one", _ changes: [String: JSONValue] = [:],
        header headerChanges: [String: JSONValue] = [:]
    ) throws -> String {
        var claims: [String: JSONValue] = [
            "htm": .string(method), "htu": .string(TestBench<MountedServer>.origin + path),
            "jti": .string(jti),
            "iat": .integer(Int(bench.clock.now.timeIntervalSince1970)),
        ]
        var header: [String: JSONValue] = ["typ": "dpop+jwt", "alg": "ES256", "jwk": try jwk]
        for (name, value) in changes { claims[name] = value.isNull ? nil : value }
        for (name, value) in headerChanges { header[name] = value.isNull ? nil : value }
        let input =
            Base64URL.encode(JSONValue.object(header).bytes) + "."
            + Base64URL.encode(JSONValue.object(claims).bytes)
        return input + "." + Base64URL.encode(try key.sign(Array(input.utf8), with: .es256))
    }

    /// `ath`. Source: RFC 9449 §4.2.
    static func hash(_ token: String) -> JSONValue {
        .string(Base64URL.encode(Digest.sha256(Array(token.utf8))))
    }
}

extension TestBench where P == MountedServer {
    /// A token request with a proof in its header.
    func ask(_ fields: [(String, String)], proof: String?, as client: String = "web") -> Response {
        var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
        var fields = fields
        if let secret = TokenCast.secrets[client] {
            headers["Authorization"] = Self.basic(client, secret)
        } else {
            fields.append(("client_id", client))
        }
        headers["DPoP"] = proof
        let body = fields.map { "\(Self.escaped($0))=\(Self.escaped($1))" }.joined(separator: "&")
        return send(.post, "/oauth/token", body: Array(body.utf8), headers: headers)
    }

    /// UserInfo with a token that is bound to a key.
    func userinfo(_ token: String, scheme: String = "DPoP", proof: String?) -> Response {
        var headers: Headers = ["Authorization": "\(scheme) \(token)"]
        headers["DPoP"] = proof
        return get("/oauth/userinfo", headers: headers)
    }
}
