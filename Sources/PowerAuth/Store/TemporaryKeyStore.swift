import Essentials
import SQLite

/// Keys of the server that live for minutes, to which devices encrypt.
///
/// At most ``limit`` are kept in a world; beyond that the oldest are forgotten.
struct TemporaryKeyStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_temporary_key (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            application_key TEXT NOT NULL,
            activation TEXT,
            scalar BLOB NOT NULL, -- P-256
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX powerauth_temporary_key_expiry ON powerauth_temporary_key (expires_at)",
    ]

    static let limit = 10_000
    /// How long a key is kept beyond its time, so that its use can be explained, in seconds.
    private static let graceSeconds = 600.0

    func find(_ id: String, in db: Connection) throws -> TemporaryKey? {
        try db.first(TemporaryKey.self, "SELECT * FROM powerauth_temporary_key WHERE id = \(id)")
    }

    /// - Returns: false when there is none of that id.
    func remove(_ id: String, in db: Connection) throws -> Bool {
        try db.execute("DELETE FROM powerauth_temporary_key WHERE id = \(id)")
        return db.changes > 0
    }

    func insert(_ key: TemporaryKey, at now: Date, in db: Connection) throws {
        try db.execute(
            "DELETE FROM powerauth_temporary_key WHERE expires_at < \(now - Self.graceSeconds)")
        try db.execute(
            """
            INSERT INTO powerauth_temporary_key (id, application_key, activation, scalar, expires_at)
            VALUES (\(key.id), \(key.applicationKey), \(key.activation), \(key.scalar), \(key.expiresAt))
            """)
        let surplus = db.lastInsertID - Self.limit
        if surplus > 0 {
            try db.execute("DELETE FROM powerauth_temporary_key WHERE position <= \(surplus)")
        }
    }
}
