/// An authentication that was verified, and what is to be put on record.
package struct VerifiedAuthentication: Sendable, Equatable {
    package let credentialID: [UInt8]
    /// Of the account that the credential belongs to.
    package let userHandle: [UInt8]
    package let signCount: UInt32
    package let flags: AuthenticatorFlags
    package let origin: String
    /// The record with the new counter and flags.
    package let record: CredentialRecord
    /// What was let pass.
    package let warnings: [WebAuthnRefusal]
}
