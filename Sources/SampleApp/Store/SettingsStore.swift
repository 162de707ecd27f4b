import Essentials
import SQLite

/// How the portal is configured.
struct SettingsStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE app_portal (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            settings TEXT NOT NULL -- JSON
        ) STRICT
        """
    ]

    let database: Database

    func settings() throws -> PortalSettings { try database.read { try Self.settings(in: $0) } }

    static func settings(in db: Connection) throws -> PortalSettings {
        guard let text = try db.value(String.self, "SELECT settings FROM app_portal") else {
            return PortalSettings()
        }
        return try JSONDecoder().decode(PortalSettings.self, from: Data(text.utf8))
    }

    /// - Throws: `FixtureProblem` for values that make no sense.
    static func load(_ settings: PortalSettings, into db: Connection) throws {
        try settings.check()
        let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        try db.execute("INSERT INTO app_portal (only, settings) VALUES (1, \(text))")
    }
}
