package import SQLite

/// A passkey that a software authenticator keeps.
package struct KeptCredential: Sendable, Equatable, RowDecodable {
    package let id: [UInt8]
    package let relyingPartyID: String
    package let userHandle: [UInt8]
    package let userName: String
    /// Number of a COSE algorithm.
    package let algorithm: Int
    /// PKCS #8 in PEM.
    package let privateKey: String
    package let signCount: Int
    /// The secret of the extension `prf`; nil when there is none.
    package let credRandom: [UInt8]?
    package let keepsLargeBlob: Bool
    package let largeBlob: [UInt8]?

    package init(
        id: [UInt8], relyingPartyID: String, userHandle: [UInt8], userName: String, algorithm: Int,
        privateKey: String, signCount: Int, credRandom: [UInt8]?, keepsLargeBlob: Bool, largeBlob: [UInt8]?
    ) {
        (self.id, self.relyingPartyID) = (id, relyingPartyID)
        (self.userHandle, self.userName) = (userHandle, userName)
        (self.algorithm, self.privateKey, self.signCount) = (algorithm, privateKey, signCount)
        (self.credRandom, self.keepsLargeBlob) = (credRandom, keepsLargeBlob)
        self.largeBlob = largeBlob
    }

    package init(row: Row) throws {
        self.init(
            id: try row.blob("id"), relyingPartyID: try row.text("relying_party_id"),
            userHandle: try row.blob("user_handle"), userName: try row.text("user_name"),
            algorithm: try row.integer("algorithm"), privateKey: try row.text("private_key"),
            signCount: try row.integer("sign_count"), credRandom: try row.optionalBlob("cred_random"),
            keepsLargeBlob: try row.boolean("keeps_large_blob"),
            largeBlob: try row.optionalBlob("large_blob"))
    }
}
