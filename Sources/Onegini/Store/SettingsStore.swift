import SQLite

/// What the fixtures say of this world's token server as a whole.
struct SettingsStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_settings (
            name TEXT NOT NULL PRIMARY KEY, -- the member of the fixture section
            value TEXT NOT NULL -- JSON
        ) STRICT
        """
    ]

    /// The JSON text under `name`.
    func text(_ name: String, in db: Connection) throws -> String? {
        try db.value(String.self, "SELECT value FROM onegini_settings WHERE name = \(name)")
    }

    func set(_ name: String, _ text: String, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_settings (name, value) VALUES (\(name), \(text))
            ON CONFLICT DO UPDATE SET value = excluded.value
            """)
    }
}
