import Essentials
import SQLite

/// A registration between two steps: of two steps of the app, or an identifier that a portal got for a user.
struct CustomTransaction: Sendable, Equatable, Codable {
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

extension CustomTransaction: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.text("id"), provider: try row.text("provider"),
            clientID: try row.optionalText("client_id"), subject: try row.optionalText("subject"),
            expiresAt: try row.date("expires_at"))
    }
}
