/// One thing that is wrong in an attestation statement, so that a relying party has to find it.
package enum AttestationFault: String, Sendable, CaseIterable {
    /// The certificate is signed by somebody who only has the name of the root.
    case issuer
    /// The certificate is not as its format asks: another organizational unit in `packed`, a subject in `tpm`.
    case certificate
    /// The certificate names another model.
    case aaguid
    /// The statement is about another key than the credential's.
    case key
    /// The statement is about another ceremony: one bit of the challenge, the nonce or `extraData` is wrong.
    case nonce
    /// The key is one for all applications (`android-key`), or `certInfo` comes from no TPM (`tpm`).
    case properties
}

extension SoftwareBehaviour.Attestation {
    /// The faults that statements of this kind can have.
    package var faults: [AttestationFault] {
        switch self {
        case .none, .packedSelf: []
        case .packed: [.issuer, .certificate, .aaguid]
        case .fidoU2F: [.issuer]
        case .tpm: [.issuer, .certificate, .key, .nonce, .properties]
        case .androidKey: [.issuer, .key, .nonce, .properties]
        case .apple: [.issuer, .key, .nonce]
        }
    }
}
