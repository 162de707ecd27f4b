import Essentials
import SQLite

/// A registration between two steps: of two steps of the app, or an identifier that a portal got for a user.
struct CustomTransaction: Record, Equatable {
    static let table = Table("onegini_custom_registration", limit: 10_000)
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_custom_registration (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            provider TEXT NOT NULL,
            client_id TEXT,
            sub TEXT,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    static let lifetimeSeconds = 300

    /// UUID of a transaction, 64 hex digits of an identifier.
    var id: String
    var provider: String
    /// The client that began it; nil for an identifier, which any app may bring.
    var clientID: String?
    /// Whom an identifier is for.
    var subject: String?
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case id, provider
        case clientID = "client_id"
        case subject = "sub"
        case expiresAt = "expires_at"
    }
}
