import Essentials
import PlatformKit
import SQLite

/// A browser that is logged in.
struct Session: Traced, Equatable {
    static let table = Table("app_session", limit: 10_000, keptSeconds: 0)

    /// What the browser has as a cookie.
    var id: String
    var user: String
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case id, user
        case expiresAt = "expires_at"
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE app_session (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            user TEXT NOT NULL,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX app_session_expiry ON app_session (expires_at)",
    ]
}

extension Session {
    var subjects: [Subject] { [Subject(.session, secret: id)] }
}
