import Essentials
import SQLite

/// Codes for enrolments and signatures, used ones too, so that a second use can be explained: the newest 10,000.
struct CodeStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_code (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            ticket TEXT NOT NULL UNIQUE, -- 16 bytes in base64url
            kind TEXT NOT NULL,
            server TEXT NOT NULL,
            hsid TEXT NOT NULL,
            name TEXT,
            user TEXT,
            transaction_id TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            used_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    private static let limit = 10_000

    func find(_ ticket: String, in db: Connection) throws -> Code? {
        try db.first(Code.self, "SELECT * FROM nextauth_code WHERE ticket = \(ticket)")
    }

    /// Oldest first.
    func all(in db: Connection) throws -> [Code] {
        try db.all(Code.self, "SELECT * FROM nextauth_code ORDER BY position")
    }

    func insert(_ code: Code, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO nextauth_code (ticket, kind, server, hsid, name, user, transaction_id, created_at,
                expires_at, used_at)
            VALUES (\(code.ticket), \(code.kind.rawValue), \(code.server), \(code.hsid), \(code.name),
                \(code.user), \(code.transaction), \(code.createdAt), \(code.expiresAt), \(code.usedAt))
            """)
        try db.execute("DELETE FROM nextauth_code WHERE position <= \(db.lastInsertID - Self.limit)")
    }

    func spend(_ ticket: String, at now: Date, in db: Connection) throws {
        try db.execute("UPDATE nextauth_code SET used_at = \(now) WHERE ticket = \(ticket)")
    }
}
