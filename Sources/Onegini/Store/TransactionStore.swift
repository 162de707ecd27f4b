import Essentials
import SQLite

/// Mobile authentication transactions, from their start to a day after their end, and the attempts to tell their results.
struct TransactionStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_transaction (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- UUID
            type TEXT NOT NULL,
            method TEXT NOT NULL,
            portal TEXT NOT NULL,
            callback_uri TEXT NOT NULL,
            message TEXT NOT NULL,
            secure_message TEXT,
            signing_data TEXT,
            otp TEXT, -- 64 hex digits
            challenge TEXT NOT NULL, -- 32 hex digits
            page_key TEXT NOT NULL, -- 32 hex digits
            subject TEXT,
            device_id TEXT,
            profile_id TEXT,
            phone_number TEXT,
            sms_code TEXT,
            attempts INTEGER NOT NULL,
            resends INTEGER NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            signature TEXT, -- JSON
            callback TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            fetched_at INTEGER, -- milliseconds since 1970 UTC
            ended_at INTEGER, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            gone_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX onegini_transaction_client ON onegini_transaction (device_id, state)",
        "CREATE INDEX onegini_transaction_gone ON onegini_transaction (gone_at)",
        """
        CREATE TABLE onegini_callback (
            position INTEGER PRIMARY KEY,
            transaction_id TEXT NOT NULL REFERENCES onegini_transaction (id) ON DELETE CASCADE,
            url TEXT NOT NULL,
            status INTEGER,
            milliseconds REAL NOT NULL,
            failure TEXT,
            at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX onegini_callback_transaction ON onegini_callback (transaction_id)",
    ]

    /// Nil for one whose day after its end is over as well.
    func find(_ id: String, at now: Date, in db: Connection) throws -> MobileTransaction? {
        try db.first(MobileTransaction.self, where: "id = \(id) AND gone_at > \(now)")
    }

    /// Newest first, at most `count`.
    func newest(_ count: Int, at now: Date, in db: Connection) throws -> [MobileTransaction] {
        try db.all(
            MobileTransaction.self, where: "gone_at > \(now)", order: "position DESC LIMIT \(count)")
    }

    /// Pushes that wait on this device, oldest first.
    ///
    /// - Parameter profileID: those of one profile alone.
    func pending(
        on clientID: String, profile profileID: String?, at now: Date, in db: Connection
    ) throws -> [MobileTransaction] {
        try db.all(
            MobileTransaction.self,
            where: """
                device_id = \(clientID) AND state = \(MobileTransactionState.initialized.rawValue)
                AND profile_id = coalesce(\(profileID), profile_id) AND expires_at > \(now)
                """, order: "created_at, position")
    }

    /// Adds a transaction, and drops those whose time is over.
    func insert(_ transaction: MobileTransaction, at now: Date, in db: Connection) throws {
        try db.delete(MobileTransaction.self, where: "gone_at <= \(now)")
        try db.insert(transaction)
    }
}
