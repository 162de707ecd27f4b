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
        try db.first(User.self, "SELECT * FROM nextauth_user WHERE server = \(server) AND id = \(id)")
    }

    /// In the order in which they were made.
    func all(of server: String, in db: Connection) throws -> [User] {
        try db.all(User.self, "SELECT * FROM nextauth_user WHERE server = \(server) ORDER BY position")
    }

    /// Of all servers, in the order in which they were made.
    func all(in db: Connection) throws -> [User] {
        try db.all(User.self, "SELECT * FROM nextauth_user ORDER BY position")
    }

    func insert(_ user: User, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO nextauth_user (server, id, attributes, role, created_at, last_login_at)
            VALUES (\(user.server), \(user.id), \(JSONValue.object(user.attributes).text), \(user.role),
                \(user.createdAt), \(user.lastLoginAt))
            """)
    }

    /// Writes everything that can change.
    func update(_ user: User, in db: Connection) throws {
        try db.execute(
            """
            UPDATE nextauth_user
            SET attributes = \(JSONValue.object(user.attributes).text), role = \(user.role),
                last_login_at = \(user.lastLoginAt)
            WHERE server = \(user.server) AND id = \(user.id)
            """)
    }

    func remove(_ user: User, in db: Connection) throws {
        try db.execute("DELETE FROM nextauth_user WHERE server = \(user.server) AND id = \(user.id)")
    }

    /// The user, made where there was none.
    @discardableResult
    func findOrMake(_ id: String, of server: String, at now: Date, in db: Connection) throws -> User {
        if let user = try find(id, of: server, in: db) { return user }
        let user = User(server: server, id: id, createdAt: now)
        try insert(user, in: db)
        return user
    }
}
