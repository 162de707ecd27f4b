package import Crypto

/// Whether an attestation leads to someone whom the relying party knows.
package enum AttestationTrust: Sendable, Equatable {
    /// There is nothing to trust: no attestation, or one by the credential itself.
    case none
    case selfAttested
    /// There are certificates, and no anchors to look for.
    case unchecked
    /// The chain from the attestation certificate to the anchor.
    case trusted([Certificate])
    case untrusted(String)
}

extension AttestationTrust {
    var isTrusted: Bool { if case .trusted = self { true } else { false } }

    var summary: String {
        switch self {
        case .none: "no attestation"
        case .selfAttested: "an attestation by the credential itself"
        case .unchecked: "certificates, with no anchors to compare"
        case .trusted(let path): "a chain of \(path.count) to an anchor"
        case .untrusted(let reason): "no chain to an anchor: \(reason)"
        }
    }
}
