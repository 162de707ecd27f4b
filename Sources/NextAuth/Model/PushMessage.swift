import Essentials
import SQLite

/// A push to a device. Nothing delivers it but the device's own question.
struct PushMessage: Sendable, Equatable, Codable {
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

extension PushMessage: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.text("id"), instance: try row.text("instance"), kind: try row.word("kind"),
            server: try row.text("server"), hsid: try row.optionalText("hsid"),
            account: try row.integer("account"), transaction: try row.optionalText("transaction_id"),
            announceInfo: try row.optionalJSON("announce_info"), createdAt: try row.date("created_at"),
            expiresAt: try row.date("expires_at"), readAt: try row.optionalDate("read_at"),
            usedAt: try row.optionalDate("used_at"))
    }
}
