import Essentials
import SQLite

/// Applications and their versions.
struct ApplicationStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_application (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            roles TEXT NOT NULL, -- JSON array of texts
            master_key TEXT NOT NULL, -- private key in PEM
            offers_recovery INTEGER NOT NULL,
            providers TEXT NOT NULL -- JSON array of OpenID Connect providers
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_application_version (
            key TEXT NOT NULL PRIMARY KEY, -- Base64 of 16 bytes
            application TEXT NOT NULL REFERENCES powerauth_application (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            secret TEXT NOT NULL, -- Base64 of 16 bytes
            is_supported INTEGER NOT NULL,
            UNIQUE (application, name)
        ) STRICT
        """,
    ]

    func find(_ id: String, in db: Connection) throws -> Application? {
        try db.first(Application.self, "SELECT * FROM powerauth_application WHERE id = \(id)")
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [Application] {
        try db.all(Application.self, "SELECT * FROM powerauth_application ORDER BY position")
    }

    /// The version that an `appKey` names, supported or not.
    func version(_ key: String, in db: Connection) throws -> ApplicationVersion? {
        try db.first(
            ApplicationVersion.self, "SELECT * FROM powerauth_application_version WHERE key = \(key)")
    }

    /// In the order in which they came.
    func versions(of application: String, in db: Connection) throws -> [ApplicationVersion] {
        try db.all(
            ApplicationVersion.self,
            "SELECT * FROM powerauth_application_version WHERE application = \(application) ORDER BY rowid")
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for an id that is taken.
    func insert(_ application: Application, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_application (id, roles, master_key, offers_recovery, providers)
            VALUES (\(application.id), \(JSONValue(application.roles).text), \(application.masterKey),
                \(application.offersRecovery), \(application.providers.json))
            """)
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for a key or a name that is taken.
    func insert(_ version: ApplicationVersion, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_application_version (key, application, name, secret, is_supported)
            VALUES (\(version.key), \(version.application), \(version.name), \(version.secret),
                \(version.isSupported))
            """)
    }

    /// Writes what can change: roles, recovery, providers.
    func update(_ application: Application, in db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_application
            SET roles = \(JSONValue(application.roles).text), offers_recovery = \(application.offersRecovery),
                providers = \(application.providers.json)
            WHERE id = \(application.id)
            """)
    }

    func setSupported(_ isSupported: Bool, key: String, in db: Connection) throws {
        try db.execute(
            "UPDATE powerauth_application_version SET is_supported = \(isSupported) WHERE key = \(key)")
    }
}
