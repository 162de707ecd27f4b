import Essentials
import SQLite

/// Buckets of tokens, one for each route, user and client address; read and written inside the transaction of what they limit.
enum RateLimitStore {
    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_rate_limit (
            key TEXT PRIMARY KEY,
            since INTEGER NOT NULL, -- begin of the present interval, milliseconds since 1970 UTC
            used INTEGER NOT NULL -- tokens taken in it
        ) STRICT
        """,
        "CREATE INDEX hanko_rate_limit_since ON hanko_rate_limit (since)",
    ]

    /// Takes a token from the bucket `key`, whose standing says whether there was one.
    static func take(
        _ key: String, under rule: RateLimit.Rule, at now: Date, in db: Connection
    ) throws -> RateLimit {
        let kept = try db.first(RateLimitRow.self, "SELECT * FROM hanko_rate_limit WHERE key = \(key)")
        let (standing, bucket) = RateLimit.take(from: kept?.bucket, under: rule, at: now)
        try insert(RateLimitRow(key: key, bucket: bucket), into: db)
        // Buckets that are full again say nothing.
        let full = now.addingTimeInterval(-rule.keptSeconds)
        try db.execute("DELETE FROM hanko_rate_limit WHERE since < \(full)")
        return standing
    }

    static func insert(_ row: RateLimitRow, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_rate_limit (key, since, used)
            VALUES (\(row.key), \(row.bucket.since), \(row.bucket.used))
            ON CONFLICT (key) DO UPDATE SET since = excluded.since, used = excluded.used
            """)
    }

    static func export(from db: Connection) throws -> [RateLimitRow] {
        try db.all(RateLimitRow.self, "SELECT * FROM hanko_rate_limit ORDER BY rowid")
    }
}

struct RateLimitRow: Sendable {
    let key: String
    let bucket: RateLimit.Bucket
}

extension RateLimitRow: RowDecodable {
    init(row: Row) throws {
        key = try row.text("key")
        bucket = RateLimit.Bucket(since: try row.date("since"), used: try row.integer("used"))
    }
}
