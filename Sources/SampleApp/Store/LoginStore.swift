import Essentials
import PlatformKit
import SQLite

/// Logins under way and the sessions that they led to: the newest 10,000 of each.
struct LoginStore: Sendable {
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE app_login (
            id TEXT NOT NULL PRIMARY KEY, -- UUID
            browser TEXT NOT NULL,
            transaction_id TEXT NOT NULL UNIQUE,
            otp TEXT NOT NULL,
            state TEXT NOT NULL,
            user TEXT,
            reason TEXT,
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            answered_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        """
        CREATE TABLE app_session (
            id TEXT NOT NULL PRIMARY KEY,
            user TEXT NOT NULL,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
    ]

    /// A login that is forgotten so long after its end.
    private static let keptSeconds = 86_400.0

    let database: Database

    /// Remembers a login; those that ended a day ago are forgotten.
    func begin(_ login: Login, at now: Date) throws {
        try database.write { db in
            try db.execute("DELETE FROM app_login WHERE expires_at < \(now - Self.keptSeconds)")
            try db.execute("DELETE FROM app_session WHERE expires_at < \(now)")
            try Self.insert(login, into: db)
        }
    }

    /// Remembers a session; those whose time is over are forgotten.
    func begin(_ session: Session, at now: Date) throws {
        try database.write { db in
            try db.execute("DELETE FROM app_session WHERE expires_at < \(now)")
            try Self.insert(session, into: db)
        }
    }

    func login(_ id: String) throws -> Login? {
        try database.read { try $0.first(Login.self, "SELECT * FROM app_login WHERE id = \(id)") }
    }

    func login(ofTransaction id: String) throws -> Login? {
        try database.read {
            try $0.first(Login.self, "SELECT * FROM app_login WHERE transaction_id = \(id)")
        }
    }

    /// Writes the answer down; the first one counts.
    func answer(_ id: String, user: String?, reason: String?, at now: Date) throws {
        let state: Login.State = user == nil ? .refused : .approved
        try database.write { db in
            try db.execute(
                """
                UPDATE app_login SET state = \(state.rawValue), user = \(user), reason = \(reason),
                    answered_at = \(now)
                WHERE id = \(id) AND state = \(Login.State.waiting.rawValue)
                """)
        }
    }

    /// Trades an approved login for a session. False when another request was faster.
    func takeUp(_ login: Login, as session: Session) throws -> Bool {
        try database.write { db in
            try db.execute(
                """
                UPDATE app_login SET state = \(Login.State.used.rawValue)
                WHERE id = \(login.id) AND state = \(Login.State.approved.rawValue)
                """)
            guard db.changes == 1 else { return false }
            try Self.insert(session, into: db)
            return true
        }
    }

    func session(_ id: String, at now: Date) throws -> Session? {
        try database.read {
            try $0.first(Session.self, "SELECT * FROM app_session WHERE id = \(id) AND expires_at > \(now)")
        }
    }

    func end(session id: String) throws {
        try database.write { try $0.execute("DELETE FROM app_session WHERE id = \(id)") }
    }
}

extension LoginStore {
    static func logins(in db: Connection) throws -> [Login] {
        try db.all(Login.self, "SELECT * FROM app_login ORDER BY rowid")
    }

    static func sessions(in db: Connection) throws -> [Session] {
        try db.all(Session.self, "SELECT * FROM app_session ORDER BY rowid")
    }

    static func load(_ login: Login, at path: [String], into db: Connection) throws {
        do {
            try insert(login, into: db)
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw FixtureProblem(at: path, "a login with this id or transaction stands here already")
        }
    }

    static func load(_ session: Session, at path: [String], into db: Connection) throws {
        do {
            try insert(session, into: db)
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw FixtureProblem(at: path + ["id"], "a session with this id stands here already")
        }
    }

    private static func insert(_ login: Login, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO app_login (id, browser, transaction_id, otp, state, user, reason, expires_at, answered_at)
            VALUES (\(login.id), \(login.browser), \(login.transactionID), \(login.otp),
                \(login.state.rawValue), \(login.user), \(login.reason), \(login.expiresAt), \(login.answeredAt))
            """)
        try db.execute("DELETE FROM app_login WHERE rowid <= \(db.lastInsertID - limit)")
    }

    static func insert(_ session: Session, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO app_session (id, user, expires_at)
            VALUES (\(session.id), \(session.user), \(session.expiresAt))
            """)
        try db.execute("DELETE FROM app_session WHERE rowid <= \(db.lastInsertID - limit)")
    }
}
