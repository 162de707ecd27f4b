import Essentials
import SQLite

/// How the token service is configured. What it issues stands in the tables of its authorization server.
struct NextAuthSettingsStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE app_nextauth_settings (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            settings TEXT NOT NULL -- JSON
        ) STRICT
        """
    ]

    let database: Database

    func settings() throws -> NextAuthSettings { try database.read { try Self.settings(in: $0) } }

    static func settings(in db: Connection) throws -> NextAuthSettings {
        guard let text = try db.value(String.self, "SELECT settings FROM app_nextauth_settings") else {
            return NextAuthSettings()
        }
        return try JSONDecoder().decode(NextAuthSettings.self, from: Data(text.utf8))
    }

    /// - Throws: `FixtureProblem` for values that make no sense.
    static func load(_ settings: NextAuthSettings, into db: Connection) throws {
        try settings.check()
        let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        try db.execute("INSERT INTO app_nextauth_settings (only, settings) VALUES (1, \(text))")
    }
}
