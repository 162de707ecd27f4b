/// A new credential whose registration was verified: what is to be put on record, and what else came with it.
package struct VerifiedRegistration: Sendable, Equatable {
    package let credentialID: [UInt8]
    package let publicKey: COSEKey
    package let signCount: UInt32
    package let flags: AuthenticatorFlags
    /// 16 bytes
    package let aaguid: [UInt8]
    /// As the client says, unknown ones too: `internal`, `hybrid`, `usb` and so on.
    package let transports: [String]
    package let origin: String
    package let attestation: AttestationEvidence
    package let trust: AttestationTrust
    /// The raw objects, for those who want to verify again.
    package let attestationObject: [UInt8]
    package let clientDataJSON: [UInt8]
    /// What was let pass.
    package let warnings: [WebAuthnRefusal]
}
