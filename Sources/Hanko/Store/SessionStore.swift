import Essentials
import SQLite

/// Sessions that are open.
struct SessionStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_session (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            user_agent TEXT,
            ip_address TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            updated_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            last_used INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX hanko_session_user ON hanko_session (user_id, created_at)",
    ]

    let database: Database

    /// The session that a token names, if it is still there and not idle for too long; an idle one is deleted.
    ///
    /// - Parameter touching: whether this counts as use.
    func accept(
        _ id: String, of userID: String, idleTimeoutSeconds: Double?, touching: Bool, at now: Date
    ) throws -> Result<Session, SessionFault> {
        try database.write { db in
            guard
                let session = try db.first(
                    Session.self, "SELECT * FROM hanko_session WHERE id = \(id) AND user_id = \(userID)")
            else { return .failure(.removed(id)) }
            if let timeout = idleTimeoutSeconds, let excess = session.secondsIdle(beyond: timeout, at: now) {
                try db.execute("DELETE FROM hanko_session WHERE id = \(id)")
                return .failure(.idle(seconds: excess, timeout: timeout))
            }
            if touching { try db.execute("UPDATE hanko_session SET last_used = \(now) WHERE id = \(id)") }
            return .success(touching ? session.used(at: now) : session)
        }
    }

    func delete(_ id: String) throws {
        try database.write { try $0.execute("DELETE FROM hanko_session WHERE id = \(id)") }
    }

    /// Opens a session, and drops the user's oldest ones beyond the limit.
    static func open(_ new: NewSession, for userID: String, in db: Connection) throws -> OpenedSession {
        let session = new.session(for: userID)
        // Expired ones are refused by their tokens alone; nobody misses their rows.
        try db.execute(
            "DELETE FROM hanko_session WHERE user_id = \(userID) AND expires_at <= \(new.createdAt)")
        try insert(session, into: db)
        let dropped = try db.all(
            Session.self,
            """
            SELECT * FROM hanko_session WHERE user_id = \(userID)
            ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET \(new.limit)
            """)
        for old in dropped { try db.execute("DELETE FROM hanko_session WHERE id = \(old.id)") }
        let account = new.template.isEmpty ? nil : try AccountStore.account(userID, in: db)
        return OpenedSession(
            session: session, email: try EmailStore.primary(of: userID, in: db), dropped: dropped,
            others: account.map(new.template.evaluated) ?? [:])
    }

    static func insert(_ session: Session, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_session (
                id, user_id, user_agent, ip_address, created_at, updated_at, expires_at, last_used
            ) VALUES (
                \(session.id), \(session.userID), \(session.userAgent), \(session.ipAddress), \(session.createdAt),
                \(session.updatedAt), \(session.expiresAt), \(session.lastUsed)
            )
            """)
    }

    static func export(from db: Connection) throws -> [Session] {
        try db.all(Session.self, "SELECT * FROM hanko_session ORDER BY rowid")
    }
}
