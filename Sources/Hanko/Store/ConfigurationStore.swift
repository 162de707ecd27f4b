import Essentials
import PlatformKit
import SQLite

/// The server's configuration, as the fixtures gave it.
struct ConfigurationStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_configuration (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            config TEXT NOT NULL, -- JSON, only the keys that the fixtures set
            strict_pending_address INTEGER NOT NULL CHECK (strict_pending_address IN (0, 1))
        ) STRICT
        """
    ]

    let database: Database

    /// Hanko's own defaults where no fixtures were loaded.
    func configuration() throws -> Configuration {
        let (row, association) = try database.read { db in
            (try Self.row(in: db), try AssociationStore.export(from: db))
        }
        return try Configuration(
            row?.config ?? ConfigurationFixture(), row?.own ?? OwnSettings(),
            association ?? AssociationFixture())
    }

    static func load(_ config: ConfigurationFixture, _ own: OwnSettings, into db: Connection) throws {
        // Refuses values that make no sense, here where the author of the file hears it.
        _ = try Configuration(config, own)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(config), as: UTF8.self)
        let ownText = String(decoding: try encoder.encode(own), as: UTF8.self)
        try db.execute(
            "INSERT INTO hanko_configuration (only, config, own_settings) VALUES (1, \(text), \(ownText))")
    }

    static func export(from db: Connection) throws -> (config: ConfigurationFixture, own: OwnSettings) {
        let row = try row(in: db)
        return (row?.config ?? ConfigurationFixture(), row?.own ?? OwnSettings())
    }

    private static func row(in db: Connection) throws -> ConfigurationRow? {
        try db.first(ConfigurationRow.self, "SELECT * FROM hanko_configuration")
    }
}

private struct ConfigurationRow: RowDecodable {
    let config: ConfigurationFixture
    let own: OwnSettings

    init(row: Row) throws {
        config = try JSONDecoder().decode(
            ConfigurationFixture.self, from: Data(try row.text("config").utf8))
        own = try JSONDecoder().decode(OwnSettings.self, from: Data(try row.text("own_settings").utf8))
    }
}
