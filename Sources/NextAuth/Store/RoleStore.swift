import Essentials
import SQLite

/// API keys and what their roles may do. Callers with a key make them; nothing bounds their number.
struct RoleStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_api_key (
            position INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL,
            description TEXT NOT NULL,
            maker TEXT
        ) STRICT
        """,
        """
        CREATE TABLE nextauth_grant (
            position INTEGER PRIMARY KEY,
            role TEXT NOT NULL,
            server TEXT NOT NULL, -- empty for all servers
            permissions TEXT NOT NULL, -- JSON array of texts
            UNIQUE (role, server)
        ) STRICT
        """,
    ]

    func find(key: String, in db: Connection) throws -> APIKey? {
        try db.first(APIKey.self, "SELECT * FROM nextauth_api_key WHERE key = \(key)")
    }

    /// In the order in which they were made.
    func keys(in db: Connection) throws -> [APIKey] {
        try db.all(APIKey.self, "SELECT * FROM nextauth_api_key ORDER BY position")
    }

    func keys(madeBy role: String, in db: Connection) throws -> [APIKey] {
        try db.all(
            APIKey.self, "SELECT * FROM nextauth_api_key WHERE maker = \(role) ORDER BY position")
    }

    /// A role is somebody's with a key, or a user's.
    func knows(_ role: String, in db: Connection) throws -> Bool {
        try db.value(
            Int.self,
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM nextauth_api_key WHERE role = \(role))
                OR EXISTS (SELECT 1 FROM nextauth_user WHERE role = \(role))
            """) != nil
    }

    func grants(of role: String, in db: Connection) throws -> [Grant] {
        try db.all(Grant.self, "SELECT * FROM nextauth_grant WHERE role = \(role) ORDER BY position")
    }

    /// - Parameter server: nil for the global ones.
    func grants(on server: String?, in db: Connection) throws -> [Grant] {
        try db.all(
            Grant.self, "SELECT * FROM nextauth_grant WHERE server = \(server ?? "") ORDER BY position")
    }

    func grants(in db: Connection) throws -> [Grant] {
        try db.all(Grant.self, "SELECT * FROM nextauth_grant ORDER BY position")
    }

    /// Replaces what the role may do there; no permissions at all take the grant away.
    func set(_ grant: Grant, in db: Connection) throws {
        let server = grant.server ?? ""
        if grant.permissions.isEmpty {
            return try db.execute(
                "DELETE FROM nextauth_grant WHERE role = \(grant.role) AND server = \(server)")
        }
        let permissions = JSONValue(grant.permissions.map(\.rawValue)).text
        try db.execute(
            """
            INSERT INTO nextauth_grant (role, server, permissions)
            VALUES (\(grant.role), \(server), \(permissions))
            ON CONFLICT (role, server) DO UPDATE SET permissions = excluded.permissions
            """)
    }
}
