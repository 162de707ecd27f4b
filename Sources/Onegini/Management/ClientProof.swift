import Crypto
import Essentials
import HTTP
import JOSE
import OpenID
import PlatformKit

/// How a client proves itself, as the bodies of the config API say it: the members `client_secret`, `hashed_client_secret`,
/// `public_jwk` and `jwks_uri`. Source: Token Server documentation, web clients API and API clients API.
enum ClientProof {
    /// Reads the members into a client whose method is set already; a secret or key that is not named stays as it was.
    static func read(_ input: Members, into client: inout Client) throws {
        switch client.authentication {
        case .basic, .post: try readSecret(input, into: &client)
        case .privateKeyJWT: try readKeys(input, into: &client)
        case .none: break
        }
        if client.authentication != .privateKeyJWT {
            client.metadata.jwks = nil
            client.metadata.jwksURI = nil
        }
        if client.isPublic || client.authentication == .privateKeyJWT {
            client.secret = nil
            client.metadata.vendor?[MobileExtension.hashedSecret] = nil
        }
    }

    private static func readSecret(_ input: Members, into client: inout Client) throws {
        let hashed = try input.anyText(MobileExtension.hashedSecret)
        if let secret = try input.anyText("client_secret") {
            if secret.isEmpty { try input.fail("client_secret", "must not be empty") }
            client.secret = secret
            client.metadata.vendor?[MobileExtension.hashedSecret] = nil
        } else if let hashed {
            do {
                _ = try HashedSecret(hashed)
                client.secret = nil
                client.metadata.vendor = (client.metadata.vendor ?? [:]).merging(
                    [MobileExtension.hashedSecret: .string(hashed)]) { _, new in new }
            } catch {
                try input.fail(MobileExtension.hashedSecret, error.words)
            }
        }
        if client.secret == nil, hashed == nil,
            client.metadata.vendor?[MobileExtension.hashedSecret] == nil,
            input.values["client_secret"] == nil
        {
            try input.fail("client_secret", "is missing; a client that proves itself by a secret needs one")
        }
    }

    private static func readKeys(_ input: Members, into client: inout Client) throws {
        client.metadata.jwksURI = try input.anyText("jwks_uri")
        let member = input.values["public_jwk"]
        if member == nil { client.metadata.jwks = nil }
        // A set of several keys shows its first and stays whole until another is sent.
        if let member, member != client.metadata.jwks?["keys"]?.array?.first {
            do {
                client.metadata.jwks = ["keys": [try key(member)]]
            } catch {
                try input.fail("public_jwk", "must be a public key as a JWK or in PEM: \(words(of: error))")
            }
        }
        if client.metadata.jwksURI == nil, member == nil {
            try input.fail("public_jwk", "is missing; a client that signs needs public_jwk or jwks_uri")
        }
    }

    /// A JWK as an object or as text, or a PEM text.
    private static func key(_ member: JSONValue) throws -> JSONValue {
        if let text = member.string, text.hasPrefix("-----BEGIN") {
            let key = JWK(.publicKey(try PublicKey(pem: text)))
            return try JSONValue(parsing: [UInt8](try JSONEncoder().encode(key)))
        }
        let object = try member.string.map { try JSONValue(parsing: Array($0.utf8)) } ?? member
        let key = try JSONDecoder().decode(JWK.self, from: Data(object.bytes))
        guard case .publicKey = key.material else { throw NotPublic() }
        return object
    }

    private struct NotPublic: Error, CustomStringConvertible {
        var description: String { "it is a private key or a secret" }
    }

    private static func words(of error: any Error) -> String {
        if let error = error as? DecodingError { return error.sentence }
        return error is CryptoError ? "the text is not a key" : "\(error)"
    }
}
