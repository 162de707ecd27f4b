import Essentials
import HTTP
import SQLite

/// The audit log that the events API reads.
struct EventStore: Sendable {
    /// The newest so many are kept, and a few more until the next ones are forgotten together.
    static let limit = 10_000
    private static let interval = 64

    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_event (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL, -- UUID
            type TEXT NOT NULL, -- the catalogue name in upper case
            client_id TEXT,
            subject TEXT,
            transaction_id TEXT,
            application TEXT,
            address TEXT,
            user_agent TEXT,
            occurred_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    let database: Database

    /// Adds an event. For use inside a transaction that also changes what the event tells; otherwise wrap it in one.
    func add(_ event: Event, in db: Connection) throws { try Self.insert(event, in: db) }

    static func insert(_ event: Event, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_event (id, type, client_id, subject, transaction_id, application, address,
                user_agent, occurred_at)
            VALUES (\(event.id), \(event.type.rawValue), \(event.clientID), \(event.subject),
                \(event.transactionID), \(event.application), \(event.address), \(event.userAgent),
                \(event.at))
            """)
        let last = db.lastInsertID
        guard last.isMultiple(of: interval) else { return }
        try db.execute("DELETE FROM onegini_event WHERE position <= \(last - limit)")
    }
}
