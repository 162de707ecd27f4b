import Essentials
import SQLite

/// Pushes to devices: the newest 10,000.
struct MessageStore: Sendable {
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

    func find(_ id: String, of instance: String, in db: Connection) throws -> PushMessage? {
        try db.first(PushMessage.self, where: "id = \(id) AND instance = \(instance)")
    }

    func exists(_ id: String, in db: Connection) throws -> Bool {
        try db.value(Int.self, "SELECT 1 FROM nextauth_message WHERE id = \(id)") != nil
    }

    /// Neither read nor expired, oldest first.
    func outstanding(of instance: String, at now: Date, in db: Connection) throws -> [PushMessage] {
        try db.all(
            PushMessage.self,
            """
            SELECT * FROM nextauth_message
            WHERE instance = \(instance) AND read_at IS NULL AND expires_at > \(now) ORDER BY position
            """)
    }

    /// Oldest first.
    func all(in db: Connection) throws -> [PushMessage] {
        try db.all(PushMessage.self, "SELECT * FROM nextauth_message ORDER BY position")
    }

    /// Logins that devices are asked for, the latest first.
    func newestLogins(_ count: Int, in db: Connection) throws -> [PushMessage] {
        try db.all(
            PushMessage.self,
            """
            SELECT * FROM nextauth_message WHERE kind = \(PushMessage.Kind.login.rawValue)
            ORDER BY position DESC LIMIT \(count)
            """)
    }

    func find(_ id: String, in db: Connection) throws -> PushMessage? {
        try db.first(PushMessage.self, where: "id = \(id)")
    }
}
