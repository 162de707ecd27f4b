import Essentials
import SQLite

/// The newest 10,000 tellings of a world.
struct CallbackEventStore: Sendable {
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_callback_event (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            callback TEXT NOT NULL,
            body TEXT NOT NULL, -- JSON
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            status INTEGER,
            failure TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            changed_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX powerauth_callback_event_callback ON powerauth_callback_event (callback, state, changed_at)",
    ]

    func find(_ id: String, in db: Connection) throws -> CallbackEvent? {
        try db.first(CallbackEvent.self, "SELECT * FROM powerauth_callback_event WHERE id = \(id)")
    }

    /// Oldest first.
    func all(in db: Connection) throws -> [CallbackEvent] {
        try db.all(CallbackEvent.self, "SELECT * FROM powerauth_callback_event ORDER BY position")
    }

    func insert(_ event: CallbackEvent, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_callback_event (id, callback, body, state, attempts, status, failure,
                created_at, changed_at)
            VALUES (\(event.id), \(event.callback), \(event.body), \(event.state.rawValue), \(event.attempts),
                \(event.status), \(event.failure), \(event.createdAt), \(event.changedAt))
            """)
        try db.execute(
            "DELETE FROM powerauth_callback_event WHERE position <= \(db.lastInsertID - Self.limit)")
    }

    func update(_ event: CallbackEvent, in db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_callback_event
            SET state = \(event.state.rawValue), attempts = \(event.attempts), status = \(event.status),
                failure = \(event.failure), changed_at = \(event.changedAt)
            WHERE id = \(event.id)
            """)
    }

    /// Forgets what was delivered before `date`.
    func removeCompleted(of callback: String, before date: Date, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM powerauth_callback_event
            WHERE callback = \(callback) AND state = \(CallbackEvent.State.completed.rawValue)
                AND changed_at < \(date)
            """)
    }
}
