import Crypto
import Essentials
import SQLite

/// What one installation of an app has for one server: a key pair, and perhaps a user.
struct Account: Sendable, Equatable {
    let id: Int
    let server: String
    let instance: String
    var user: String?
    /// P-256, SPKI in base64url.
    let publicKey: String
    /// What the app shows: the name that the enrolment code brought.
    let name: String
    /// What the device calls itself.
    let description: String
    /// What was typed at the confirmation of the enrolment.
    var userInput: String?
    var isBlocked = false
    /// Without a second factor.
    var isHeadless = false
    let createdAt: Date
    var lastLoginAt: Date?
    var lastProvokedAt: Date?
}

extension Account: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.integer("id"), server: try row.text("server"), instance: try row.text("instance"),
            user: try row.optionalText("user"), publicKey: try row.text("public_key"),
            name: try row.text("name"), description: try row.text("description"),
            userInput: try row.optionalText("user_input"), isBlocked: try row.boolean("is_blocked"),
            isHeadless: try row.boolean("is_headless"), createdAt: try row.date("created_at"),
            lastLoginAt: try row.optionalDate("last_login_at"),
            lastProvokedAt: try row.optionalDate("last_provoked_at"))
    }
}
