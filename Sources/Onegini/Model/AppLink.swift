import Essentials
import SQLite

/// A link that opens a page in a browser with the user of an app signed in, once.
struct AppLink: Sendable, Equatable, Codable {
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

extension AppLink: RowDecodable {
    init(row: Row) throws {
        self.init(
            digest: try row.text("digest"), subject: try row.text("subject"),
            target: try row.text("target"), expiresAt: try row.date("expires_at"))
    }
}
