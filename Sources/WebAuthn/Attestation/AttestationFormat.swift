package import Crypto

/// The formats of attestation statements. Source: Web Authentication Level 3 §8, IANA WebAuthn Attestation Statement Format Identifiers.
package enum AttestationFormat: String, Sendable, CaseIterable {
    case none
    case packed
    case fidoU2F = "fido-u2f"
    case tpm
    case androidKey = "android-key"
    case androidSafetyNet = "android-safetynet"
    case apple
    case compound

    /// - Throws: ``WebAuthnRefusal``
    func verify(_ statement: CBOR, _ subject: AttestationSubject) throws(WebAuthnRefusal)
        -> AttestationEvidence
    {
        switch self {
        case .none: try Self.verifyNone(statement)
        case .packed: try Self.verifyPacked(statement, subject)
        case .fidoU2F: try Self.verifyFIDOU2F(statement, subject)
        case .tpm: try Self.verifyTPM(statement, subject)
        case .androidKey: try Self.verifyAndroidKey(statement, subject)
        case .androidSafetyNet: try Self.verifySafetyNet(statement, subject)
        case .apple: try Self.verifyApple(statement, subject)
        case .compound: try Self.verifyCompound(statement, subject)
        }
    }
}

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

/// What a statement that is right conveys.
package struct AttestationEvidence: Sendable, Equatable {
    package let format: AttestationFormat
    package let type: AttestationType
    /// The attestation certificate and those above it, as they came.
    package let trustPath: [Certificate]
    /// The statements in a compound one.
    package let parts: [AttestationEvidence]
    /// What is unusual and no reason to refuse.
    package let warnings: [WebAuthnRefusal]

    init(
        _ format: AttestationFormat, _ type: AttestationType, trustPath: [Certificate] = [],
        parts: [AttestationEvidence] = [], warnings: [WebAuthnRefusal] = []
    ) {
        (self.format, self.type, self.trustPath) = (format, type, trustPath)
        (self.parts, self.warnings) = (parts, warnings)
    }
}
