import Crypto
import Essentials
import SQLite

/// What one installation of an app has for one server: a key pair, and perhaps a user.
struct Account: Record, Equatable {
    static let table = Table("nextauth_account")

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

    enum CodingKeys: String, CodingKey {
        case id, server, instance, user, name, description
        case publicKey = "public_key"
        case userInput = "user_input"
        case isBlocked = "is_blocked"
        case isHeadless = "is_headless"
        case createdAt = "created_at"
        case lastLoginAt = "last_login_at"
        case lastProvokedAt = "last_provoked_at"
    }
}
