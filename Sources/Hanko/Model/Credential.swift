import Essentials
import SQLite

/// A passkey, or a security key that is a second factor only.
struct Credential: Codable, Sendable, Equatable {
    /// Base64url.
    let id: String
    let userID: String
    var name: String?
    /// COSE_Key.
    let publicKey: [UInt8]
    /// The attestation format, such as `none`.
    let attestationType: String
    /// UUID.
    let aaguid: String
    var signCount: Int
    /// As the client said them.
    let transports: [String]
    var isBackupEligible: Bool
    var isBackedUp: Bool
    /// A security key: good as a second factor, not to sign in with.
    let isMFAOnly: Bool
    var lastUsedAt: Date?
    let createdAt: Date
    var updatedAt: Date
}

extension Credential: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        userID = try row.text("user_id")
        name = try row.optionalText("name")
        publicKey = try row.blob("public_key")
        attestationType = try row.text("attestation_type")
        aaguid = try row.text("aaguid")
        signCount = try row.integer("sign_count")
        transports = try JSONText.strings(row.text("transports"))
        isBackupEligible = try row.boolean("is_backup_eligible")
        isBackedUp = try row.boolean("is_backed_up")
        isMFAOnly = try row.boolean("is_mfa_only")
        lastUsedAt = try row.optionalDate("last_used_at")
        createdAt = try row.date("created_at")
        updatedAt = try row.date("updated_at")
    }
}
