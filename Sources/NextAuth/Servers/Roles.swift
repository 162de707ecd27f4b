import Essentials
import SQLite

// Roles are names: somebody's with a key, or a user's. Callers with a key make keys and grants; nothing bounds their number.

/// An API key, and the role that who brings it acts as.
struct APIKey: Record, Equatable {
    static let table = Table("nextauth_api_key", key: "key")

    let key: String
    /// Base64 with neither `/` nor `+`.
    let role: String
    let description: String
    /// The role that made it; nil for one from fixtures.
    let maker: String?

    enum CodingKeys: CodingKey {
        case key, role, description, maker
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_api_key (
            position INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL,
            description TEXT NOT NULL,
            maker TEXT
        ) STRICT
        """
    ]
}

extension APIKey {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        key = try fields.decode(String.self, forKey: .key)
        role = try fields.decode(String.self, forKey: .role)
        description = try fields.decodeIfPresent(String.self, forKey: .description) ?? ""
        maker = try fields.decodeIfPresent(String.self, forKey: .maker)
    }

    /// A role is somebody's with a key, or a user's.
    static func knows(_ role: String, in db: Connection) throws -> Bool {
        try db.exists(APIKey.self, where: "role = \(role)") || db.exists(User.self, where: "role = \(role)")
    }
}

/// What a role may do on one server, or on all.
struct Grant: Record, Equatable {
    static let table = Table("nextauth_grant", key: "role", "server")

    let role: String
    /// Nil for all servers.
    let server: String?
    let permissions: [Permission]

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_grant (
            position INTEGER PRIMARY KEY,
            role TEXT NOT NULL,
            server TEXT, -- NULL for all servers
            permissions TEXT NOT NULL -- JSON array of texts
        ) STRICT
        """,
        "CREATE UNIQUE INDEX nextauth_grant_place ON nextauth_grant (role, ifnull(server, ''))",
    ]

    static func all(of role: String, in db: Connection) throws -> [Grant] {
        try db.all(Grant.self, where: "role = \(role)")
    }

    /// - Parameter server: nil for the global ones.
    static func all(on server: String?, in db: Connection) throws -> [Grant] {
        try db.all(Grant.self, where: "server IS \(server)")
    }

    /// Replaces what the role may do there; no permissions at all take the grant away.
    func replace(in db: Connection) throws {
        try db.delete(Grant.self, where: "role = \(role) AND server IS \(server)")
        if !permissions.isEmpty { try db.insert(self) }
    }
}

extension Sequence where Element == Grant {
    /// Whether these grants allow it there; a global one allows it everywhere, and global `root` allows everything.
    func allow(_ permission: Permission, on server: String?) -> Bool {
        contains { grant in
            if grant.server == nil, grant.permissions.contains(.root) { return true }
            return (grant.server == nil || grant.server == server) && grant.permissions.contains(permission)
        }
    }
}

/// What a role may do, on one server or on all. Source: API description 2.2.
enum Permission: String, Sendable, Codable, CaseIterable {
    case sessions, users, accounts, servers, createserver, root, setrid
}
