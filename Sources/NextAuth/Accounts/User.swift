import Essentials
import PlatformKit
import SQLite

/// Somebody whom a back end knows by any text; ties accounts together. Back ends make them; nothing bounds their number.
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

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_user (
            position INTEGER PRIMARY KEY,
            server TEXT NOT NULL,
            id TEXT NOT NULL,
            attributes TEXT NOT NULL, -- JSON object
            role TEXT, -- Base64
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            last_login_at INTEGER, -- milliseconds since 1970 UTC
            UNIQUE (server, id)
        ) STRICT
        """
    ]
}

extension User {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        server = try fields.decode(String.self, forKey: .server)
        id = try fields.decode(String.self, forKey: .id)
        attributes = try fields.decodeIfPresent([String: JSONValue].self, forKey: .attributes) ?? [:]
        role = try fields.decodeIfPresent(String.self, forKey: .role)
        createdAt = try fields.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
        lastLoginAt = try fields.decodeIfPresent(Date.self, forKey: .lastLoginAt)
    }

    static func find(_ id: String, of server: String, in db: Connection) throws -> User? {
        try db.first(User.self, where: "server = \(server) AND id = \(id)")
    }

    /// The user, made where there was none.
    @discardableResult
    static func findOrMake(_ id: String, of server: String, at now: Date, in db: Connection) throws -> User {
        if let user = try find(id, of: server, in: db) { return user }
        let user = User(server: server, id: id, createdAt: now)
        try db.insert(user)
        return user
    }
}
