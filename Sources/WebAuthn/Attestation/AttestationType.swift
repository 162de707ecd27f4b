/// What kind of trust an attestation conveys. Source: Web Authentication Level 3 §6.5.3.
package enum AttestationType: String, Sendable, Codable {
    case none
    case selfAttestation = "self"
    /// Basic or by an attestation CA: without knowledge of the maker the two cannot be told apart.
    case basic
    case attestationCA
    case anonymizationCA
    case compound
}
