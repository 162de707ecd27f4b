import Essentials
import SQLite

/// What was presented once and must not be presented again, for as long as it could be. Beyond the limit the oldest are forgotten.
struct Presented: Record, Equatable {
    static let limit = 50_000
    static let table = Table("powerauth_replay", key: "value", "kind", limit: limit, keptSeconds: 0)
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_replay (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            value TEXT NOT NULL,
            kind TEXT NOT NULL,
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            UNIQUE (value, kind)
        ) STRICT
        """,
        "CREATE INDEX powerauth_replay_expiry ON powerauth_replay (expires_at)",
    ]

    enum Kind: String, Codable, Sendable {
        case envelope
        case token
    }

    let value: String
    let kind: Kind
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case value, kind
        case expiresAt = "expires_at"
    }

    /// - Returns: false when it is remembered already.
    func remember(at now: Date, in db: Connection) throws -> Bool {
        try db.tidy(Self.self, at: now)
        do {
            try db.insert(self)
            return true
        } catch let error as SQLiteError where error.isUniqueViolation {
            return false
        }
    }
}
