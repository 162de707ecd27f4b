/// The elliptic curves of RFC 7518 §6.2.1.1, by their JOSE names, which OpenSSL knows as well.
package enum Curve: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The size of a coordinate, and of half a signature, in bytes.
    package var coordinateCount: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// The name that OpenSSL gives a key of this curve.
    init?(groupName: String) {
        switch groupName {
        case "prime256v1": self = .p256
        case "secp384r1": self = .p384
        case "secp521r1": self = .p521
        default: return nil
        }
    }
}
