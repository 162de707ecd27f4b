import SQLite

/// Who may call the management API: everybody, as long as there is no integration.
struct IntegrationStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_integration (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            client_token TEXT NOT NULL UNIQUE,
            client_secret TEXT NOT NULL
        ) STRICT
        """
    ]

    func all(in db: Connection) throws -> [Integration] {
        try db.all(Integration.self, "SELECT * FROM powerauth_integration ORDER BY position")
    }

    func insert(_ integration: Integration, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_integration (id, name, client_token, client_secret)
            VALUES (\(integration.id), \(integration.name), \(integration.clientToken),
                \(integration.clientSecret))
            """)
    }

    /// - Returns: false when there is none of that id.
    func remove(_ id: String, in db: Connection) throws -> Bool {
        try db.execute("DELETE FROM powerauth_integration WHERE id = \(id)")
        return db.changes > 0
    }
}
