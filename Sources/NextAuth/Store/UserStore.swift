import Essentials
import SQLite

/// Users of all servers. Back ends make them; nothing bounds their number.
struct UserStore: Sendable {
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

    func find(_ id: String, of server: String, in db: Connection) throws -> User? {
        try db.first(User.self, where: "server = \(server) AND id = \(id)")
    }

    /// In the order in which they were made.
    func all(of server: String, in db: Connection) throws -> [User] {
        try db.all(User.self, "SELECT * FROM nextauth_user WHERE server = \(server) ORDER BY position")
    }

    /// Of all servers, in the order in which they were made.
    func all(in db: Connection) throws -> [User] {
        try db.all(User.self, "SELECT * FROM nextauth_user ORDER BY position")
    }

    /// The user, made where there was none.
    @discardableResult
    func findOrMake(_ id: String, of server: String, at now: Date, in db: Connection) throws -> User {
        if let user = try find(id, of: server, in: db) { return user }
        let user = User(server: server, id: id, createdAt: now)
        try db.insert(user)
        return user
    }
}
