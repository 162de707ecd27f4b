import Essentials
package import SQLite

/// The browser sessions of one authorization server, and the clients that took part in them.
package struct SessionStore: Sendable {
    let server: String

    package func find(digest: [UInt8], in db: Connection) throws -> BrowserSession? {
        try db.first(
            BrowserSession.self,
            "SELECT * FROM openid_session WHERE server = \(server) AND digest = \(digest)")
    }

    package func find(_ id: String, in db: Connection) throws -> BrowserSession? {
        try db.first(
            BrowserSession.self, "SELECT * FROM openid_session WHERE server = \(server) AND id = \(id)")
    }

    /// Oldest first.
    package func all(of subject: String, in db: Connection) throws -> [BrowserSession] {
        try db.all(
            BrowserSession.self,
            "SELECT * FROM openid_session WHERE server = \(server) AND subject = \(subject) ORDER BY rowid")
    }

    package func insert(_ session: BrowserSession, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_session (id, server, digest, subject, authenticated_at, acr, amr, browser_state,
                user_agent, ip_address, last_used_at, expires_at, login_claims)
            VALUES (\(session.id), \(server), \(session.digest), \(session.subject),
                \(session.authenticatedAt), \(session.acr), \(session.amr.joined(separator: " ")),
                \(session.browserState), \(session.userAgent), \(session.ipAddress),
                \(session.lastUsedAt), \(session.expiresAt), \(session.loginClaimsJSON?.text))
            """)
    }

    package func remove(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM openid_session WHERE server = \(server) AND id = \(id)")
    }

    /// Remembers that a client was given something in this session, and by which name it knows this server.
    package func note(client id: String, issuer: String, in sessionID: String, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_session_client (session_id, client_id, issuer)
            VALUES (\(sessionID), \(id), \(issuer))
            ON CONFLICT DO UPDATE SET issuer = excluded.issuer
            """)
    }

    /// Ids of the clients that took part, each with the issuer that it knows.
    package func clients(of sessionID: String, in db: Connection) throws -> [(id: String, issuer: String)] {
        try db.all(
            SessionClient.self,
            "SELECT * FROM openid_session_client WHERE session_id = \(sessionID) ORDER BY rowid"
        ).map { ($0.id, $0.issuer) }
    }
}

private struct SessionClient: RowDecodable {
    let id: String
    let issuer: String

    init(row: Row) throws {
        id = try row.text("client_id")
        issuer = try row.text("issuer")
    }
}
