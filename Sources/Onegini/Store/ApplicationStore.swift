import Essentials
import SQLite

/// The mobile applications whose installations may register.
struct ApplicationStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_application (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- the application identifier
            settings TEXT NOT NULL -- JSON
        ) STRICT
        """
    ]

    func find(_ identifier: String, in db: Connection) throws -> ApplicationSettings? {
        try db.first(
            StoredApplication.self,
            "SELECT settings FROM onegini_application WHERE id = \(identifier)")?.settings
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [ApplicationSettings] {
        try db.all(
            StoredApplication.self, "SELECT settings FROM onegini_application ORDER BY position"
        ).map(\.settings)
    }

    /// Adds the application, or replaces the one with its identifier.
    func save(_ application: ApplicationSettings, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_application (id, settings)
            VALUES (\(application.identifier), \(try JSONText.of(application)))
            ON CONFLICT DO UPDATE SET settings = excluded.settings
            """)
    }
}

private struct StoredApplication: RowDecodable {
    let settings: ApplicationSettings

    init(row: Row) throws {
        settings = try JSONText.decode(ApplicationSettings.self, try row.text("settings"))
    }
}

/// Settings as the database keeps them.
enum JSONText {
    static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
