import Essentials
import PlatformKit
import SQLite

/// What the fixtures say of the server as a whole.
struct SettingsStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_settings (
            name TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL -- JSON
        ) STRICT
        """
    ]

    private static let name = "settings"

    /// Nil when the fixtures say nothing.
    func find(in db: Connection) throws -> Settings? {
        let text = try db.value(
            String.self, "SELECT value FROM powerauth_settings WHERE name = \(Self.name)")
        return try text.map { try JSONDecoder().decode(Settings.self, from: Data($0.utf8)) }
    }

    func set(_ settings: Settings, in db: Connection) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(settings), as: UTF8.self)
        try db.execute(
            """
            INSERT INTO powerauth_settings (name, value) VALUES (\(Self.name), \(text))
            ON CONFLICT DO UPDATE SET value = excluded.value
            """)
    }
}

extension PowerAuth {
    /// Limits and switches of this world. They change when fixtures are loaded, and not otherwise.
    func settings(in db: Connection) throws -> Settings {
        try services.memo.value("powerauth.settings") { try SettingsStore().find(in: db) ?? Settings() }
    }
}
