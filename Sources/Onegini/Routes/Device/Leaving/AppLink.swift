import Essentials
import SQLite

/// A link that opens a page in a browser with the user of an app signed in, once.
struct AppLink: Record, Equatable {
    static let table = Table("onegini_app_link", key: "digest", limit: 10_000)
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_app_link (
            position INTEGER PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE, -- SHA-256 in hexadecimal
            sub TEXT NOT NULL,
            target TEXT NOT NULL,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    static let lifetimeSeconds = 60

    /// SHA-256 of the token in hexadecimal.
    var digest: String
    var subject: String
    var target: String
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case digest
        case subject = "sub"
        case target
        case expiresAt = "expires_at"
    }
}
