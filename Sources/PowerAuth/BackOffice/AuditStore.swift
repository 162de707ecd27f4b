import Essentials
import SQLite

/// The newest 10,000 records of the audit log.
struct AuditStore: Sendable {
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            activation TEXT NOT NULL,
            user TEXT NOT NULL,
            application TEXT NOT NULL,
            type TEXT NOT NULL,
            data TEXT NOT NULL, -- JSON
            at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX powerauth_audit_user ON powerauth_audit (user, id)",
    ]

    func add(_ record: AuditRecord, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_audit (activation, user, application, type, data, at)
            VALUES (\(record.activation), \(record.user), \(record.application), \(record.type),
                \(record.data.text), \(record.at))
            """)
        try db.execute("DELETE FROM powerauth_audit WHERE id <= \(db.lastInsertID - Self.limit)")
    }

    /// Oldest first.
    func all(of user: String, from: Date, to: Date, in db: Connection) throws -> [AuditRecord] {
        try db.all(
            AuditRecord.self,
            "SELECT * FROM powerauth_audit WHERE user = \(user) AND at >= \(from) AND at <= \(to) ORDER BY id"
        )
    }

    func all(in db: Connection) throws -> [AuditRecord] {
        try db.all(AuditRecord.self, "SELECT * FROM powerauth_audit ORDER BY id")
    }
}
