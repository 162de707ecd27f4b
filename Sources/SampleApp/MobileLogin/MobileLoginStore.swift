import Essentials
import PlatformKit
import SQLite

/// How the back end of the mobile app is configured, and the newest 10,000 logins under way.
struct MobileLoginStore: Sendable {
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE app_mobile_settings (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            settings TEXT NOT NULL -- JSON
        ) STRICT
        """,
        """
        CREATE TABLE app_mobile_login (
            operation_id TEXT NOT NULL PRIMARY KEY,
            session TEXT NOT NULL,
            user_id TEXT NOT NULL,
            registration_id TEXT NOT NULL,
            started_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            used_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX app_mobile_login_start ON app_mobile_login (started_at)",
    ]

    /// A login that is forgotten so long after its start.
    private static let keptSeconds = 86_400.0

    let database: Database

    func settings() throws -> MobileLoginSettings { try database.read { try Self.settings(in: $0) } }

    /// Remembers a login; those that began more than a day ago are forgotten.
    func begin(_ login: MobileLogin) throws {
        try database.write { db in
            try db.execute(
                "DELETE FROM app_mobile_login WHERE started_at < \(login.startedAt - Self.keptSeconds)")
            try Self.insert(login, into: db)
        }
    }

    /// The login with this operation that began in this session.
    func login(_ operationID: String, in session: String) throws -> MobileLogin? {
        try database.read {
            try $0.first(
                MobileLogin.self,
                "SELECT * FROM app_mobile_login WHERE operation_id = \(operationID) AND session = \(session)")
        }
    }

    /// Trades a login for a session of its user. False when another request was faster.
    func use(_ login: MobileLogin, as session: Session, at now: Date) throws -> Bool {
        try database.write { db in
            try db.execute(
                """
                UPDATE app_mobile_login SET used_at = \(now)
                WHERE operation_id = \(login.operationID) AND used_at IS NULL
                """)
            guard db.changes == 1 else { return false }
            try LoginStore.insert(session, into: db)
            return true
        }
    }
}

extension MobileLoginStore {
    static func settings(in db: Connection) throws -> MobileLoginSettings {
        guard let text = try db.value(String.self, "SELECT settings FROM app_mobile_settings") else {
            return MobileLoginSettings()
        }
        return try JSONDecoder().decode(MobileLoginSettings.self, from: Data(text.utf8))
    }

    /// In the order in which they began.
    static func logins(in db: Connection) throws -> [MobileLogin] {
        try db.all(MobileLogin.self, "SELECT * FROM app_mobile_login ORDER BY rowid")
    }

    /// - Throws: `FixtureProblem` for values that make no sense.
    static func load(_ settings: MobileLoginSettings, into db: Connection) throws {
        try settings.check()
        let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        try db.execute("INSERT INTO app_mobile_settings (only, settings) VALUES (1, \(text))")
    }

    static func load(_ login: MobileLogin, at path: [String], into db: Connection) throws {
        do {
            try insert(login, into: db)
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw FixtureProblem(
                at: path + ["operation_id"], "a login with this operation stands here already")
        }
    }

    private static func insert(_ login: MobileLogin, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO app_mobile_login (operation_id, session, user_id, registration_id, started_at, used_at)
            VALUES (\(login.operationID), \(login.session), \(login.userID), \(login.registrationID),
                \(login.startedAt), \(login.usedAt))
            """)
        try db.execute("DELETE FROM app_mobile_login WHERE rowid <= \(db.lastInsertID - Self.limit)")
    }
}
