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
            "transaction" TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            used_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    func find(_ ticket: String, in db: Connection) throws -> Code? {
        try db.first(Code.self, where: "ticket = \(ticket)")
    }

    func spend(_ ticket: String, at now: Date, in db: Connection) throws {
        try db.execute("UPDATE nextauth_code SET used_at = \(now) WHERE ticket = \(ticket)")
    }
}
