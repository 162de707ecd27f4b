/// The elliptic curves of RFC 7518 §6.2.1.1, by their JOSE names, which OpenSSL knows as well.
package enum Curve: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The size of a coordinate, and of half a signature, in bytes.
    package var coordinateCount: Int { named.coordinateCount }

    /// The name that OpenSSL gives a key of this curve.
    var named: VerificationKey.NamedCurve {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        }
    }

    init?(_ name: VerificationKey.NamedCurve) {
        guard let curve = Self.allCases.first(where: { $0.named == name }) else { return nil }
        self = curve
    }
}
