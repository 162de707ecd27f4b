package import Crypto

/// A credential that the software authenticator keeps.
package struct SoftwareCredential: Sendable, Equatable {
    package let id: [UInt8]
    package let relyingPartyID: String
    package let userHandle: [UInt8]
    package let userName: String
    package let algorithm: COSEAlgorithm
    package let key: PrivateKey
    /// What the next assertion is counted from.
    package var signCount: UInt32
    /// The secret of the extension `prf`, 32 bytes; nil when registration did not ask for it.
    package var credRandom: [UInt8]?
    /// Whether registration asked for the extension `largeBlob`.
    package var keepsLargeBlob: Bool
    /// What was written last.
    package var largeBlob: [UInt8]?

    package init(
        id: [UInt8], relyingPartyID: String, userHandle: [UInt8], userName: String,
        algorithm: COSEAlgorithm, key: PrivateKey, signCount: UInt32,
        credRandom: [UInt8]? = nil, keepsLargeBlob: Bool = false, largeBlob: [UInt8]? = nil
    ) {
        (self.id, self.relyingPartyID) = (id, relyingPartyID)
        (self.userHandle, self.userName) = (userHandle, userName)
        (self.algorithm, self.key, self.signCount) = (algorithm, key, signCount)
        (self.credRandom, self.keepsLargeBlob) = (credRandom, keepsLargeBlob)
        self.largeBlob = largeBlob
    }
}
