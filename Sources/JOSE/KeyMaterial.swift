package import Crypto

/// What a JWK carries.
package enum KeyMaterial: Sendable, Equatable {
    case publicKey(PublicKey)
    case privateKey(PrivateKey)
    /// A shared secret, `kty` `oct`.
    case secret([UInt8])

    /// Whether the algorithm may be used with this key: it names the kind of key, never the other way round, so a
    /// public key is no HMAC secret.
    package func suits(_ algorithm: JWSAlgorithm) -> Bool {
        switch (self, algorithm) {
        case (.publicKey(let key), .keyPair(let algorithm)): algorithm.accepts(key.kind)
        case (.privateKey(let key), .keyPair(let algorithm)): algorithm.accepts(key.kind)
        // RFC 7518 §3.2: a secret is as long as the hash or longer.
        case (.secret(let secret), .hmac(let digest)): secret.count >= digest.count
        default: false
        }
    }

    /// The kind of key, for messages.
    var summary: String {
        switch self {
        case .publicKey(let key): key.kind.summary
        case .privateKey(let key): key.kind.summary
        case .secret(let secret): "secret of \(secret.count) bytes"
        }
    }
}

extension KeyKind {
    fileprivate var summary: String {
        switch self {
        case .rsa(let bits): "RSA key of \(bits) bits"
        case .ec(let curve): "\(curve.rawValue) key"
        case .ed25519: "Ed25519 key"
        }
    }
}
