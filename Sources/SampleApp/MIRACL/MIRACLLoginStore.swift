import Essentials
import PlatformKit
import SQLite

/// How the relying party of MIRACL is configured, and the newest 10,000 logins under way.
struct MIRACLLoginStore: Sendable {
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE app_miracl_settings (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            settings TEXT NOT NULL -- JSON
        ) STRICT
        """,
        """
        CREATE TABLE app_miracl_login (
            state TEXT NOT NULL PRIMARY KEY,
            nonce TEXT NOT NULL UNIQUE,
            browser TEXT NOT NULL,
            redirect_uri TEXT NOT NULL,
            started_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            used_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX app_miracl_login_start ON app_miracl_login (started_at)",
    ]

    /// A login that is forgotten so long after its start.
    private static let keptSeconds = 86_400.0

    let database: Database

    func settings() throws -> MIRACLSettings { try database.read { try Self.settings(in: $0) } }

    /// Remembers a login; those that began more than a day ago are forgotten.
    func begin(_ login: MIRACLLogin) throws {
        try database.write { db in
            try db.execute(
                "DELETE FROM app_miracl_login WHERE started_at < \(login.startedAt - Self.keptSeconds)")
            try Self.insert(login, into: db)
        }
    }

    func login(state: String) throws -> MIRACLLogin? {
        try database.read {
            try $0.first(MIRACLLogin.self, "SELECT * FROM app_miracl_login WHERE state = \(state)")
        }
    }

    func login(nonce: String) throws -> MIRACLLogin? {
        try database.read {
            try $0.first(MIRACLLogin.self, "SELECT * FROM app_miracl_login WHERE nonce = \(nonce)")
        }
    }

    /// Uses a login up. False when it was used before.
    func use(_ login: MIRACLLogin, at now: Date) throws -> Bool {
        try database.write { db in
            try db.execute(
                """
                UPDATE app_miracl_login SET used_at = \(now)
                WHERE state = \(login.state) AND used_at IS NULL
                """)
            return db.changes == 1
        }
    }
}

extension MIRACLLoginStore {
    static func settings(in db: Connection) throws -> MIRACLSettings {
        guard let text = try db.value(String.self, "SELECT settings FROM app_miracl_settings") else {
            return MIRACLSettings()
        }
        return try JSONDecoder().decode(MIRACLSettings.self, from: Data(text.utf8))
    }

    /// In the order in which they began.
    static func logins(in db: Connection) throws -> [MIRACLLogin] {
        try db.all(MIRACLLogin.self, "SELECT * FROM app_miracl_login ORDER BY rowid")
    }

    /// - Throws: `FixtureProblem` for values that make no sense.
    static func load(_ settings: MIRACLSettings, into db: Connection) throws {
        try settings.check()
        let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        try db.execute("INSERT INTO app_miracl_settings (only, settings) VALUES (1, \(text))")
    }

    static func load(_ login: MIRACLLogin, at path: [String], into db: Connection) throws {
        do {
            try insert(login, into: db)
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw FixtureProblem(at: path, "a login with this state or nonce stands here already")
        }
    }

    private static func insert(_ login: MIRACLLogin, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO app_miracl_login (state, nonce, browser, redirect_uri, started_at, used_at)
            VALUES (\(login.state), \(login.nonce), \(login.browser), \(login.redirectURI),
                \(login.startedAt), \(login.usedAt))
            """)
        try db.execute("DELETE FROM app_miracl_login WHERE rowid <= \(db.lastInsertID - limit)")
    }
}
