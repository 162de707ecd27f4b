import Essentials
import PlatformKit
import SQLite

/// The limits that the fixtures set.
struct SettingsStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_settings (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL -- JSON
        ) STRICT
        """
    ]

    private static let name = "settings"

    /// Nil when the fixtures say nothing.
    func find(in db: Connection) throws -> Settings? {
        let text = try db.value(
            String.self, "SELECT value FROM nextauth_settings WHERE name = \(Self.name)")
        return try text.map { try JSONDecoder().decode(Settings.self, from: Data($0.utf8)) }
    }

    func set(_ settings: Settings, in db: Connection) throws {
        let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        try db.execute(
            """
            INSERT INTO nextauth_settings (name, value) VALUES (\(Self.name), \(text))
            ON CONFLICT DO UPDATE SET value = excluded.value
            """)
    }
}

extension NextAuth {
    /// Limits of this world. They change when fixtures are loaded, and not otherwise.
    func settings(in db: Connection) throws -> Settings {
        try services.memo.value("nextauth.settings") { try SettingsStore().find(in: db) ?? Settings() }
    }
}
