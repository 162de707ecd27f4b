import Essentials
import SQLite

extension BrowserSession {
    /// ``loginClaims`` as JSON; nil without any.
    var loginClaimsJSON: JSONValue? { loginClaims.isEmpty ? nil : .object(loginClaims) }
}

extension SessionStore {
    /// The same session after its user logged in again: another cookie, another time, the same `sid`.
    func renew(_ session: BrowserSession, in db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_session SET digest = \(session.digest), authenticated_at = \(session.authenticatedAt),
                acr = \(session.acr), amr = \(session.amr.joined(separator: " ")),
                user_agent = \(session.userAgent), ip_address = \(session.ipAddress),
                last_used_at = \(session.lastUsedAt), expires_at = \(session.expiresAt),
                login_claims = \(session.loginClaimsJSON?.text)
            WHERE server = \(server) AND id = \(session.id)
            """)
    }

    /// False when the session is not there any more.
    func noteUse(_ id: String, at now: Date, in db: Connection) throws -> Bool {
        try db.execute(
            "UPDATE openid_session SET last_used_at = \(now) WHERE server = \(server) AND id = \(id)")
        return db.changes > 0
    }

    /// Of all servers of the world together.
    static let limit = 10_000

    /// Forgets all but the newest of all servers; to be called right after one was inserted.
    func removeOldest(in db: Connection) throws {
        try db.execute("DELETE FROM openid_session WHERE rowid <= \(db.lastInsertID - Self.limit)")
    }

    /// Of all servers of the world: the index knows the time alone.
    func removeExpired(at now: Date, in db: Connection) throws {
        try db.execute("DELETE FROM openid_session WHERE expires_at <= \(now)")
    }
}
