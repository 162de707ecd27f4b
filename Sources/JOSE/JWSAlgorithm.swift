package import Crypto

/// The signature algorithms of RFC 7518 §3.1 and RFC 8037 §3.1, without `none`.
package enum JWSAlgorithm: Sendable, Hashable {
    /// HMAC; the digest is SHA-256, SHA-384 or SHA-512.
    case hmac(Digest)
    case keyPair(SignatureAlgorithm)

    package static let hs256 = JWSAlgorithm.hmac(.sha256)
    package static let hs384 = JWSAlgorithm.hmac(.sha384)
    package static let hs512 = JWSAlgorithm.hmac(.sha512)
    package static let rs256 = JWSAlgorithm.keyPair(.rs256)
    package static let es256 = JWSAlgorithm.keyPair(.es256)

    /// - Parameter name: the value of `alg`; `nil` for one that is not on the list.
    package init?(name: String) {
        switch name {
        case "HS256": self = .hs256
        case "HS384": self = .hs384
        case "HS512": self = .hs512
        default:
            guard let algorithm = SignatureAlgorithm(rawValue: name) else { return nil }
            self = .keyPair(algorithm)
        }
    }

    /// The value of `alg`.
    package var name: String {
        switch self {
        case .hmac(let digest): "HS\(digest.count * 8)"
        case .keyPair(let algorithm): algorithm.rawValue
        }
    }
}
