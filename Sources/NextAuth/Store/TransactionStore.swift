import Essentials
import SQLite

/// Transactions of all servers: the newest 10,000.
struct TransactionStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_transaction (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE, -- Base64 with neither / nor +
            server TEXT NOT NULL,
            hsid TEXT NOT NULL,
            account INTEGER NOT NULL,
            amount TEXT,
            benificiary TEXT,
            description TEXT,
            status TEXT NOT NULL,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            decided_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    func find(_ id: String, in db: Connection) throws -> SignTransaction? {
        try db.first(SignTransaction.self, where: "id = \(id)")
    }

    /// Oldest first.
    func all(in db: Connection) throws -> [SignTransaction] {
        try db.all(SignTransaction.self, "SELECT * FROM nextauth_transaction ORDER BY position")
    }

    /// Newest first.
    func newest(_ count: Int, in db: Connection) throws -> [SignTransaction] {
        try db.all(
            SignTransaction.self,
            "SELECT * FROM nextauth_transaction ORDER BY position DESC LIMIT \(count)")
    }
}
