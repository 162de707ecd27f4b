package import Crypto

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
