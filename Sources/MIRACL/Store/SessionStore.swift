import Essentials
import SQLite

/// Access sessions. Those that are over for an hour are tidied away.
struct SessionStore: Sendable {
    static let keptSeconds = 3600.0

    func find(_ accessID: String, in db: Connection) throws -> AccessSession? {
        try db.first(AccessSession.self, "SELECT * FROM miracl_session WHERE access_id = \(accessID)")
    }

    func find(webOTT: String, in db: Connection) throws -> AccessSession? {
        try db.first(AccessSession.self, "SELECT * FROM miracl_session WHERE web_ott = \(webOTT)")
    }

    /// The newest with this access number.
    func find(number: String, in db: Connection) throws -> AccessSession? {
        try db.first(
            AccessSession.self,
            "SELECT * FROM miracl_session WHERE access_number = \(number) ORDER BY position DESC LIMIT 1")
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [AccessSession] {
        try db.all(AccessSession.self, "SELECT * FROM miracl_session ORDER BY position")
    }

    func insert(_ session: AccessSession, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO miracl_session (access_id, web_ott, access_number, project_id, state, authorization,
                preroll_id, register_only, user_id, description, hash, signature, redirect_url, created_at,
                expires_at)
            VALUES (\(session.accessID), \(session.webOTT), \(session.accessNumber), \(session.projectID),
                \(session.state.rawValue), \(try session.authorizationText), \(session.prerollID),
                \(session.registerOnly), \(session.userID), \(session.description), \(session.hash),
                \(session.signature), \(session.redirectURL), \(session.createdAt), \(session.expiresAt))
            """)
    }

    func tidy(at now: Date, in db: Connection) throws {
        try db.execute("DELETE FROM miracl_session WHERE expires_at < \(now - Self.keptSeconds)")
    }

    /// Replaces what can change while it lives.
    func update(_ session: AccessSession, in db: Connection) throws {
        try db.execute(
            """
            UPDATE miracl_session SET state = \(session.state.rawValue), user_id = \(session.userID),
                signature = \(session.signature), redirect_url = \(session.redirectURL),
                expires_at = \(session.expiresAt)
            WHERE access_id = \(session.accessID)
            """)
    }
}

extension AccessSession {
    fileprivate var authorizationText: String? {
        get throws {
            guard let authorization else { return nil }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(authorization), as: UTF8.self)
        }
    }
}
