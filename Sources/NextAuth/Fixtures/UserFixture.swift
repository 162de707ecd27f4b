import Essentials

/// A user in a fixture file.
struct UserFixture: Codable, Sendable {
    var server: String
    var id: String
    var attributes: [String: JSONValue]?
    /// Base64
    var role: String?
    /// 2026-01-01 when left out.
    var createdAt: Date?
    var lastLoginAt: Date?

    enum CodingKeys: String, CodingKey {
        case server, id, attributes, role
        case createdAt = "created_at"
        case lastLoginAt = "last_login_at"
    }

    init(_ user: User) {
        (server, id, attributes, role) = (user.server, user.id, user.attributes, user.role)
        (createdAt, lastLoginAt) = (user.createdAt, user.lastLoginAt)
    }

    var user: User {
        User(
            server: server, id: id, attributes: attributes ?? [:], role: role,
            createdAt: createdAt ?? NextAuth.standardTime, lastLoginAt: lastLoginAt)
    }
}
