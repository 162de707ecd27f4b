import Crypto
import Essentials
import PostQuantum

extension V4 {
    /// A JWT by HS256, or by HS384 as some documents have it. Its claims are not to be trusted before ``isAuthentic(_:)``.
    struct KeyedToken: Sendable, Equatable {
        let claims: JSONValue
        /// SHA-256, as SDKs have it, or SHA-384, as documents do.
        let digest: Digest
        private let signed: [UInt8]
        private let signature: [UInt8]

        /// - Throws: ``ProtocolFault`` when the text is none, or of another algorithm.
        init(unverified token: String) throws {
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else {
                throw Self.fault("jwt", "three parts in Base64url with dots between", "other text")
            }
            let header = try Self.object(parts[0], "header of the jwt")
            switch header["alg"]?.string {
            case "HS256": digest = .sha256
            case "HS384": digest = .sha384
            default: throw Self.fault("alg of the jwt", "HS256 or HS384", header["alg"]?.text ?? "nothing")
            }
            claims = try Self.object(parts[1], "claims of the jwt")
            signed = Array(token.utf8.dropLast(parts[2].utf8.count + 1))
            self.signature = signature
        }

        /// Whether the signature is right; takes the same time for every wrong one of the right length.
        func isAuthentic(_ key: [UInt8]) -> Bool {
            digest.isAuthenticationCode(signature, of: signed, key: key)
        }

        private static func object(_ part: Substring, _ name: String) throws -> JSONValue {
            guard let bytes = Base64URL.decode(part), let value = try? JSONValue(parsing: bytes),
                value.object != nil
            else { throw fault(name, "a JSON object in Base64url", "other text") }
            return value
        }

        fileprivate static func fault(_ part: String, _ expected: String, _ got: String) -> ProtocolFault {
            .malformed(part: part, expected: expected, got: got)
        }
    }

    /// A device's request for a temporary key.
    struct TemporaryKeyRequest: Sendable, Equatable {
        let token: KeyedToken
        let applicationKey: ApplicationKey
        /// Nil in application scope; some builds name it there as well.
        let activationID: String?
        /// Goes back as it came.
        let challenge: String
        let sharedSecret: SharedSecretRequest

        /// - Throws: ``ProtocolFault`` when a claim is missing or is not what it should be.
        init(_ token: KeyedToken) throws {
            self.token = token
            let claims = token.claims
            applicationKey = try ApplicationKey(Self.text(claims, "applicationKey"))
            challenge = try Self.text(claims, "challenge")
            if let activation = claims["activationId"], !activation.isNull, activation.string == nil {
                throw KeyedToken.fault("activationId", "a text", "another type")
            }
            activationID = claims["activationId"]?.string
            guard let wish = claims["sharedSecretRequest"] else {
                throw KeyedToken.fault("sharedSecretRequest", "an object", "nothing")
            }
            sharedSecret = try SharedSecretRequest(wish)
        }

        private static func text(_ claims: JSONValue, _ name: String) throws -> String {
            guard let text = claims[name]?.string else {
                throw KeyedToken.fault(name, "a text", "nothing or another type")
            }
            return text
        }
    }

    /// The answer to a ``TemporaryKeyRequest``.
    struct TemporaryKeyGrant: Sendable {
        /// A UUID in lower case.
        let id: String
        let sharedSecret: SharedSecret
        /// Milliseconds since 1970.
        let issued: Int
        let expires: Int

        /// The claims that are signed. The names of older builds stand beside those of the release.
        func claims(answering request: TemporaryKeyRequest, activationID: String?) -> [UInt8] {
            var claims = JSONObjectWriter()
            claims.add("activationId", activationID.map(JSONValue.string))
            claims.add("applicationKey", .string(request.applicationKey.text))
            claims.add("challenge", .string(request.challenge))
            claims.add("exp", .integer(expires / 1000))
            claims.add("exp_ms", .integer(expires))
            claims.add("expiration", .integer(expires))
            claims.add("iat", .integer(issued / 1000))
            claims.add("iat_ms", .integer(issued))
            claims.add("keyId", .string(id))
            claims.add("serverTime", .integer(issued))
            claims.add("sharedSecretResponse", sharedSecret.json)
            claims.add("sub", .string(id))
            return claims.bytes
        }
    }

    /// The keys by which the server signs: of an application, or of one activation.
    struct Signer: Sendable {
        /// Of P-384.
        let first: PrivateKey
        /// In the suites that have one.
        let second: MLDSA.SigningKey?

        /// A JWS in general serialization, a signature of each key. Source: RFC 7515 §7.2.1.
        ///
        /// - Parameter randomness: 32 bytes for the signature of ML-DSA.
        func sign(_ payload: [UInt8], randomness: [UInt8]) throws -> JSONValue {
            let payload = Base64URL.encode(payload)
            var signatures = [
                try Self.signature("ES384", payload) { try first.sign($0, with: .es384) }
            ]
            if let second {
                signatures.append(
                    try Self.signature(second.set.rawValue, payload) {
                        try second.sign($0, randomness: randomness)
                    })
            }
            return ["payload": .string(payload), "signatures": .array(signatures)]
        }

        private static func signature(
            _ algorithm: String, _ payload: String, _ sign: ([UInt8]) throws -> [UInt8]
        ) throws -> JSONValue {
            let header = Base64URL.encode(Array(#"{"alg":"\#(algorithm)"}"#.utf8))
            let signature = try sign(Array("\(header).\(payload)".utf8))
            return ["protected": .string(header), "signature": .string(Base64URL.encode(signature))]
        }
    }
}
