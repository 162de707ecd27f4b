import Essentials
import SQLite

/// Accounts of back ends.
struct SystemUserStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_user (
            position INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            password TEXT NOT NULL,
            roles TEXT NOT NULL, -- JSON array of texts
            applications TEXT NOT NULL, -- JSON array of ids
            is_enabled INTEGER NOT NULL
        ) STRICT
        """
    ]

    func find(_ name: String, in db: Connection) throws -> SystemUser? {
        try db.first(SystemUser.self, "SELECT * FROM powerauth_user WHERE name = \(name)")
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [SystemUser] {
        try db.all(SystemUser.self, "SELECT * FROM powerauth_user ORDER BY position")
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for a name that is taken.
    func insert(_ user: SystemUser, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_user (name, password, roles, applications, is_enabled)
            VALUES (\(user.name), \(user.password), \(JSONValue(user.roles.map(\.rawValue)).text),
                \(JSONValue(user.applications).text), \(user.isEnabled))
            """)
    }

    /// Writes what can change: roles, applications, whether it may call.
    func update(_ user: SystemUser, in db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_user
            SET roles = \(JSONValue(user.roles.map(\.rawValue)).text),
                applications = \(JSONValue(user.applications).text), is_enabled = \(user.isEnabled)
            WHERE name = \(user.name)
            """)
    }
}
