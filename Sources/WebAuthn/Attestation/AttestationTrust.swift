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
