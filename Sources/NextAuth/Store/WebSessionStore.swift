import Essentials
import SQLite

/// Sessions of back ends by the hash of their nonce: the 10,000 that changed last, and all that are logged in.
struct WebSessionStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_web_session (
            position INTEGER PRIMARY KEY,
            server TEXT NOT NULL,
            hsid TEXT NOT NULL, -- 32 bytes in base64url
            nonce TEXT,
            state TEXT NOT NULL,
            account INTEGER,
            last_account INTEGER,
            device_session TEXT,
            session_info TEXT, -- JSON
            announce_info TEXT, -- JSON
            code_shown_at INTEGER, -- milliseconds since 1970 UTC
            changed_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            UNIQUE (server, hsid)
        ) STRICT
        """,
        "CREATE INDEX nextauth_web_session_account ON nextauth_web_session (account)",
        "CREATE INDEX nextauth_web_session_change ON nextauth_web_session (changed_at)",
    ]

    private static let limit = 10_000

    func find(_ hsid: String, of server: String, in db: Connection) throws -> WebSession? {
        try db.first(
            WebSession.self,
            "SELECT * FROM nextauth_web_session WHERE server = \(server) AND hsid = \(hsid)")
    }

    /// In the order in which they were seen first.
    func all(in db: Connection) throws -> [WebSession] {
        try db.all(WebSession.self, "SELECT * FROM nextauth_web_session ORDER BY position")
    }

    /// Those that changed last, newest first.
    func newest(_ count: Int, in db: Connection) throws -> [WebSession] {
        try db.all(
            WebSession.self,
            """
            SELECT * FROM nextauth_web_session ORDER BY changed_at DESC, position DESC LIMIT \(count)
            """)
    }

    /// Those whose login code was shown, the latest first.
    func shown(_ count: Int, in db: Connection) throws -> [WebSession] {
        try db.all(
            WebSession.self,
            """
            SELECT * FROM nextauth_web_session WHERE code_shown_at IS NOT NULL
            ORDER BY code_shown_at DESC, position DESC LIMIT \(count)
            """)
    }

    /// Keeps the session, new or changed.
    func save(_ session: WebSession, in db: Connection) throws {
        try db.save(session)
        try db.execute(
            """
            DELETE FROM nextauth_web_session WHERE position IN (
                SELECT position FROM nextauth_web_session WHERE state <> 'LOGGED_IN'
                ORDER BY changed_at DESC, position DESC LIMIT -1 OFFSET \(Self.limit))
            """)
    }
}
