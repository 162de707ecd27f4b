import Essentials
import SQLite

/// A browser that is logged in.
struct Session: Codable, Sendable, Equatable, RowDecodable {
    /// What the browser has as a cookie.
    var id: String
    var user: String
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case id, user
        case expiresAt = "expires_at"
    }

    init(id: String, user: String, expiresAt: Date) {
        (self.id, self.user, self.expiresAt) = (id, user, expiresAt)
    }

    init(row: Row) throws {
        self.init(
            id: try row.text("id"), user: try row.text("user"), expiresAt: try row.date("expires_at"))
    }
}
