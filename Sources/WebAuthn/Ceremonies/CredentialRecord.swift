/// What the relying party has on record of a credential. Source: Web Authentication Level 3 §4, “credential record”.
package struct CredentialRecord: Sendable, Equatable {
    package var id: [UInt8]
    /// Of the account that it belongs to.
    package var userHandle: [UInt8]
    /// The COSE_Key.
    package var publicKey: [UInt8]
    package var signCount: UInt32
    /// `uvInitialized`: whether a ceremony had the flag UV. While it is false, and in the authentication that makes it true, UV
    /// must not be taken for a factor of its own.
    package var isUserVerificationInitialized: Bool
    package var isBackupEligible: Bool
    package var isBackedUp: Bool

    package init(
        id: [UInt8], userHandle: [UInt8], publicKey: [UInt8], signCount: UInt32,
        isUserVerificationInitialized: Bool, isBackupEligible: Bool, isBackedUp: Bool
    ) {
        (self.id, self.userHandle, self.publicKey) = (id, userHandle, publicKey)
        (self.signCount, self.isBackupEligible, self.isBackedUp) = (signCount, isBackupEligible, isBackedUp)
        self.isUserVerificationInitialized = isUserVerificationInitialized
    }

    /// What is put on record after a registration: §7.1 step 28.
    package init(_ registration: VerifiedRegistration, userHandle: [UInt8]) {
        self.init(
            id: registration.credentialID, userHandle: userHandle, publicKey: registration.publicKey.bytes,
            signCount: registration.signCount,
            isUserVerificationInitialized: registration.flags.contains(.userVerified),
            isBackupEligible: registration.flags.contains(.backupEligible),
            isBackedUp: registration.flags.contains(.backedUp))
    }
}
