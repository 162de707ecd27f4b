import Essentials
import SQLite

/// Links from apps to web pages that were not used yet.
struct AppLinkStore: Sendable {
    /// So many may wait at a time; the oldest gives way.
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_app_link (
            position INTEGER PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE, -- SHA-256 in hexadecimal
            subject TEXT NOT NULL,
            target TEXT NOT NULL,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    func insert(_ link: AppLink, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_app_link (digest, subject, target, expires_at)
            VALUES (\(link.digest), \(link.subject), \(link.target), \(link.expiresAt))
            """)
        try db.execute("DELETE FROM onegini_app_link WHERE position <= \(db.lastInsertID - Self.limit)")
    }

    func all(in db: Connection) throws -> [AppLink] {
        try db.all(AppLink.self, "SELECT * FROM onegini_app_link ORDER BY position")
    }

    /// Uses a link up; nil for one that is not there. It may have expired.
    func take(_ digest: String, in db: Connection) throws -> AppLink? {
        let link = try db.first(
            AppLink.self, "SELECT * FROM onegini_app_link WHERE digest = \(digest)")
        try db.execute("DELETE FROM onegini_app_link WHERE digest = \(digest)")
        return link
    }
}
