import Essentials
import SQLite

/// The newest 10,000 entries of a world's audit log.
struct AuditStore: Sendable {
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_audit_log (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            type TEXT NOT NULL,
            error TEXT,
            request_id TEXT NOT NULL,
            source_address TEXT NOT NULL,
            user_agent TEXT NOT NULL,
            user_id TEXT, -- also of users who are gone
            address TEXT,
            details TEXT NOT NULL, -- JSON object of texts
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    let database: Database

    func add(_ entry: AuditEntry) throws {
        try database.write { try Self.insert(entry, into: $0) }
    }

    static func insert(_ entry: AuditEntry, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_audit_log (
                id, type, error, request_id, source_address, user_agent, user_id, address, details, created_at
            ) VALUES (
                \(entry.id), \(entry.type.rawValue), \(entry.error), \(entry.requestID), \(entry.sourceAddress),
                \(entry.userAgent), \(entry.userID), \(entry.address),
                \(JSONValue.object(entry.details.mapValues(JSONValue.string)).text), \(entry.createdAt)
            )
            """)
        try db.execute("DELETE FROM hanko_audit_log WHERE position <= \(db.lastInsertID - limit)")
    }

    /// Oldest first.
    static func export(from db: Connection) throws -> [AuditEntry] {
        try db.all(AuditEntry.self, "SELECT * FROM hanko_audit_log ORDER BY position")
    }
}
