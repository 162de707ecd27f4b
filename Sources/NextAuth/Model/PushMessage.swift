import Essentials
import SQLite

/// A push to a device. Nothing delivers it but the device's own question.
struct PushMessage: Record, Equatable {
    static let table = Table("nextauth_message", limit: 10_000)

    enum Kind: String, Sendable, Codable, CaseIterable {
        case login = "LOGIN"
        case logout = "LOGOUT"
        case accountDeleted = "ACCOUNT_DELETED"
        case transaction = "TRANSACTION"
    }

    /// 16 bytes, base64url.
    let id: String
    let instance: String
    let kind: Kind
    let server: String
    var hsid: String?
    let account: Int
    var transaction: String?
    var announceInfo: JSONValue?
    let createdAt: Date
    let expiresAt: Date
    var readAt: Date?
    /// A flow that began with it succeeded.
    var usedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, instance, kind, server, hsid, account, transaction
        case announceInfo = "announce_info"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case readAt = "read_at"
        case usedAt = "used_at"
    }
}
