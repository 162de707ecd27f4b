import Crypto

/// What holds of every proof.
enum DPoPRules {
    /// Of key pairs; a proof is never signed with a shared secret. Source: RFC 9449 §4.2.
    static let algorithms = SignatureAlgorithm.allCases.map(\.rawValue)

    /// Seconds that a proof may be old, or ahead of this world's clock.
    static let mostOld = 300.0
    static let mostAhead = 60.0
}
