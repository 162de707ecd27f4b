import Essentials
import SQLite

/// Somebody whom a back end knows by any text; ties accounts together.
struct User: Record, Equatable {
    static let table = Table("nextauth_user", key: "server", "id")

    /// Characters of an id. *Assumed*: the documents say that some are not allowed, and not which.
    static let idLimit = 255

    let server: String
    let id: String
    var attributes: [String: JSONValue] = [:]
    /// Base64; nil until somebody asks for one.
    var role: String?
    let createdAt: Date
    var lastLoginAt: Date?

    enum CodingKeys: String, CodingKey {
        case server, id, attributes, role
        case createdAt = "created_at"
        case lastLoginAt = "last_login_at"
    }

    static func isID(_ text: String) -> Bool { 1...idLimit ~= text.count }
}
