import Essentials
import SQLite

/// What was presented once and must not be presented again, for as long as it could be.
///
/// At most ``limit`` are remembered in a world; beyond that the oldest are forgotten. No record: nobody reads one, and every encrypted
/// request writes one, so what is surplus is found by its number, without a scan.
struct ReplayStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_replay (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            value TEXT NOT NULL,
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            UNIQUE (value, kind)
        ) STRICT
        """,
        "CREATE INDEX powerauth_replay_expiry ON powerauth_replay (expires_at)",
    ]

    static let limit = 50_000

    enum Kind: String, Sendable {
        case envelope
        case token
    }

    /// - Returns: false when it is remembered already.
    func remember(
        _ value: String, kind: Kind, until expiry: Date, at now: Date, in db: Connection
    ) throws -> Bool {
        try db.execute("DELETE FROM powerauth_replay WHERE expires_at < \(now)")
        try db.execute(
            """
            INSERT INTO powerauth_replay (kind, value, expires_at) VALUES (\(kind.rawValue), \(value), \(expiry))
            ON CONFLICT DO NOTHING
            """)
        guard db.changes == 1 else { return false }
        let surplus = db.lastInsertID - Self.limit
        if surplus > 0 { try db.execute("DELETE FROM powerauth_replay WHERE position <= \(surplus)") }
        return true
    }
}
