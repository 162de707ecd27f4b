/// The elliptic curves of RFC 7518 §6.2.1.1, by their JOSE names, which OpenSSL knows as well.
package enum Curve: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The size of a coordinate, and of half a signature, in bytes.
    package var coordinateCount: Int { named.coordinateCount }

    /// The name that OpenSSL gives a key of this curve.
    var named: NamedCurve {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        }
    }

    init?(_ name: NamedCurve) {
        guard let curve = Self.allCases.first(where: { $0.named == name }) else { return nil }
        self = curve
    }
}

/// What a key is, and how large.
package enum KeyKind: Sendable, Equatable {
    case rsa(bits: Int)
    case ec(Curve)
    case ed25519
}

/// The curves of ECDSA, by the names that OpenSSL gives to their keys.
package enum NamedCurve: String, Sendable, CaseIterable {
    case p256 = "prime256v1"
    case p384 = "secp384r1"
    case p521 = "secp521r1"
    case secp256k1

    /// The size of a coordinate in bytes.
    package var coordinateCount: Int {
        switch self {
        case .p256, .secp256k1: 32
        case .p384: 48
        case .p521: 66
        }
    }
}
