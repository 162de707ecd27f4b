import Essentials
import SQLite

/// Registrations without a browser that are between two steps.
struct CustomTransactionStore: Sendable {
    /// So many may wait at a time; the oldest gives way.
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_custom_registration (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            provider TEXT NOT NULL,
            client_id TEXT,
            subject TEXT,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    func all(in db: Connection) throws -> [CustomTransaction] {
        try db.all(CustomTransaction.self, "SELECT * FROM onegini_custom_registration ORDER BY position")
    }

    func insert(_ transaction: CustomTransaction, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_custom_registration (id, provider, client_id, subject, expires_at)
            VALUES (\(transaction.id), \(transaction.provider), \(transaction.clientID),
                \(transaction.subject), \(transaction.expiresAt))
            """)
        try db.execute(
            "DELETE FROM onegini_custom_registration WHERE position <= \(db.lastInsertID - Self.limit)")
    }

    /// Also one that expired.
    func find(_ id: String, in db: Connection) throws -> CustomTransaction? {
        try db.first(
            CustomTransaction.self, "SELECT * FROM onegini_custom_registration WHERE id = \(id)")
    }

    func remove(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM onegini_custom_registration WHERE id = \(id)")
    }
}
