import Essentials
import SQLite

/// What administrators set for an application by name, and what nothing here depends on: it is handed out as it came.
struct ConfigurationStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_configuration (
            application TEXT NOT NULL REFERENCES powerauth_application (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            value TEXT NOT NULL, -- JSON
            PRIMARY KEY (application, kind, name)
        ) STRICT
        """
    ]

    enum Kind: String, Sendable {
        /// Keys of `application/config` in the management API.
        case settings
        /// By ``PushDevice.Service``.
        case push
        /// ``RecoverySettings`` under one name.
        case recovery
    }

    func all(_ kind: Kind, of application: String, in db: Connection) throws -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        try db.each(
            """
            SELECT name, value FROM powerauth_configuration
            WHERE application = \(application) AND kind = \(kind.rawValue)
            """
        ) { row in values[try row.text("name")] = try row.json("value") }
        return values
    }

    func set(
        _ kind: Kind, _ name: String, of application: String, _ value: JSONValue, in db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO powerauth_configuration (application, kind, name, value)
            VALUES (\(application), \(kind.rawValue), \(name), \(value.text))
            ON CONFLICT DO UPDATE SET value = excluded.value
            """)
    }

    func remove(_ kind: Kind, _ name: String, of application: String, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM powerauth_configuration
            WHERE application = \(application) AND kind = \(kind.rawValue) AND name = \(name)
            """)
    }
}
