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

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_message (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE, -- 16 bytes in base64url
            instance TEXT NOT NULL,
            kind TEXT NOT NULL,
            server TEXT NOT NULL,
            hsid TEXT,
            account INTEGER NOT NULL,
            "transaction" TEXT,
            announce_info TEXT, -- JSON
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            read_at INTEGER, -- milliseconds since 1970 UTC
            used_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX nextauth_message_instance ON nextauth_message (instance)",
    ]
}

extension PushMessage {
    static func find(_ id: String, of instance: String, in db: Connection) throws -> PushMessage? {
        try db.first(PushMessage.self, where: "id = \(id) AND instance = \(instance)")
    }

    static func exists(_ id: String, in db: Connection) throws -> Bool {
        try db.value(Int.self, "SELECT 1 FROM nextauth_message WHERE id = \(id)") != nil
    }

    /// Neither read nor expired, oldest first.
    static func outstanding(of instance: String, at now: Date, in db: Connection) throws -> [PushMessage] {
        try db.all(
            PushMessage.self, where: "instance = \(instance) AND read_at IS NULL AND expires_at > \(now)")
    }

    /// Logins that devices are asked for, the latest first.
    static func newestLogins(_ count: Int, in db: Connection) throws -> [PushMessage] {
        try db.all(
            PushMessage.self,
            """
            SELECT * FROM nextauth_message WHERE kind = \(PushMessage.Kind.login.rawValue)
            ORDER BY position DESC LIMIT \(count)
            """)
    }

    /// How many logins nobody has answered yet.
    static func countWaiting(at now: Date, in db: Connection) throws -> Int {
        try db.count(
            PushMessage.self,
            where: "kind = \(Kind.login.rawValue) AND used_at IS NULL AND expires_at > \(now)")
    }

    static func find(_ id: String, in db: Connection) throws -> PushMessage? {
        try db.first(PushMessage.self, where: "id = \(id)")
    }
}
