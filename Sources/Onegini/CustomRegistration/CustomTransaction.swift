import Essentials
import PlatformKit
import SQLite

/// A registration between two steps: of two steps of the app, or an identifier that a portal got for a user.
struct CustomTransaction: Traced, Equatable {
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

extension CustomTransaction {
    var subjects: [Subject] { [Subject(.transaction, id, "Custom registration")] }
}

/// Tokens for a user who leaves nothing on the device.
enum StatelessGrant {
    /// Source: Token Server documentation, “stateless custom registration”.
    static let type = "urn:onewelcome:oauth2:grant_type:stateless_authentication"
}

extension String {
    /// As a value of a form: every byte that is no ASCII letter or digit percent-encoded. Source: RFC 3986 §2.1.
    var formEscaped: String {
        utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
