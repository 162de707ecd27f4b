import Essentials
import SQLite

/// The newest 10,000 things that happened to the activations of a world, oldest first.
struct HistoryStore: Sendable {
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_activation_history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            activation TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            external_user TEXT,
            name TEXT,
            at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX powerauth_activation_history_activation ON powerauth_activation_history (activation, id)",
    ]

    func add(
        _ activation: Activation, reason: String? = nil, by externalUser: String? = nil, at: Date,
        in db: Connection
    ) throws {
        try insert(
            HistoryEntry(
                id: 0, activation: activation.id, state: activation.state, reason: reason,
                externalUser: externalUser, name: activation.name, at: at), in: db)
    }

    /// The id is given out anew.
    func insert(_ entry: HistoryEntry, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_activation_history (activation, state, reason, external_user, name, at)
            VALUES (\(entry.activation), \(entry.state.rawValue), \(entry.reason), \(entry.externalUser),
                \(entry.name), \(entry.at))
            """)
        try db.execute(
            "DELETE FROM powerauth_activation_history WHERE id <= \(db.lastInsertID - Self.limit)")
    }

    func all(of activation: String, from: Date, to: Date, in db: Connection) throws -> [HistoryEntry] {
        try db.all(
            HistoryEntry.self,
            """
            SELECT * FROM powerauth_activation_history
            WHERE activation = \(activation) AND at >= \(from) AND at <= \(to) ORDER BY id
            """)
    }

    func all(in db: Connection) throws -> [HistoryEntry] {
        try db.all(HistoryEntry.self, "SELECT * FROM powerauth_activation_history ORDER BY id")
    }
}
