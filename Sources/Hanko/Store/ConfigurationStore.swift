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
        let row = try database.read { try Self.row(in: $0) }
        return try Configuration(
            row?.config ?? ConfigurationFixture(), isStrictAboutPendingAddress: row?.isStrict ?? false)
    }

    static func load(_ config: ConfigurationFixture, isStrict: Bool, into db: Connection) throws {
        // Refuses values that make no sense, here where the author of the file hears it.
        _ = try Configuration(config, isStrictAboutPendingAddress: isStrict)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(config), as: UTF8.self)
        try db.execute(
            """
            INSERT INTO hanko_configuration (only, config, strict_pending_address)
            VALUES (1, \(text), \(isStrict ? 1 : 0))
            """)
    }

    static func export(from db: Connection) throws -> (config: ConfigurationFixture, isStrict: Bool) {
        let row = try row(in: db)
        return (row?.config ?? ConfigurationFixture(), row?.isStrict ?? false)
    }

    private static func row(in db: Connection) throws -> ConfigurationRow? {
        try db.first(ConfigurationRow.self, "SELECT * FROM hanko_configuration")
    }
}

private struct ConfigurationRow: RowDecodable {
    let config: ConfigurationFixture
    let isStrict: Bool

    init(row: Row) throws {
        config = try JSONDecoder().decode(
            ConfigurationFixture.self, from: Data(try row.text("config").utf8))
        isStrict = try row.integer("strict_pending_address") != 0
    }
}
