import Essentials
import SQLite

/// Sessions of devices, ended ones too, which are the history: the newest 10,000, and all that run.
struct DeviceSessionStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_device_session (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE, -- 16 bytes in base64url
            instance TEXT NOT NULL,
            server TEXT NOT NULL,
            account INTEGER NOT NULL,
            hsid TEXT NOT NULL,
            type TEXT NOT NULL,
            web_nonce TEXT,
            ping_time INTEGER NOT NULL, -- seconds
            inactivity_timeout INTEGER, -- seconds
            app_login_timeout INTEGER, -- seconds
            started_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            last_ping_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            activity_at INTEGER, -- milliseconds since 1970 UTC
            is_ping_asked INTEGER NOT NULL,
            ended_at INTEGER, -- milliseconds since 1970 UTC
            ending TEXT,
            deadline_at INTEGER -- milliseconds since 1970 UTC; follows from the others
        ) STRICT
        """,
        "CREATE INDEX nextauth_device_session_end ON nextauth_device_session (deadline_at) WHERE ended_at IS NULL",
        "CREATE INDEX nextauth_device_session_run ON nextauth_device_session (instance) WHERE ended_at IS NULL",
    ]

    private static let limit = 10_000

    func find(_ id: String, in db: Connection) throws -> DeviceSession? {
        try db.first(DeviceSession.self, "SELECT * FROM nextauth_device_session WHERE id = \(id)")
    }

    func find(_ id: String, of instance: String, in db: Connection) throws -> DeviceSession? {
        try db.first(
            DeviceSession.self,
            "SELECT * FROM nextauth_device_session WHERE id = \(id) AND instance = \(instance)")
    }

    /// Oldest first, as every list here.
    func all(in db: Connection) throws -> [DeviceSession] {
        try db.all(DeviceSession.self, "SELECT * FROM nextauth_device_session ORDER BY position")
    }

    /// Those that nobody and nothing has ended.
    func running(of instance: String, in db: Connection) throws -> [DeviceSession] {
        try db.all(
            DeviceSession.self,
            """
            SELECT * FROM nextauth_device_session WHERE instance = \(instance) AND ended_at IS NULL
            ORDER BY position
            """)
    }

    func running(ofAccount account: Int, in db: Connection) throws -> [DeviceSession] {
        try db.all(
            DeviceSession.self,
            """
            SELECT * FROM nextauth_device_session WHERE account = \(account) AND ended_at IS NULL
            ORDER BY position
            """)
    }

    func newest(_ count: Int, in db: Connection) throws -> [DeviceSession] {
        try db.all(
            DeviceSession.self,
            "SELECT * FROM nextauth_device_session ORDER BY position DESC LIMIT \(count)")
    }

    /// Those that run and whose time is over.
    func overdue(at now: Date, in db: Connection) throws -> [DeviceSession] {
        try db.all(
            DeviceSession.self,
            """
            SELECT * FROM nextauth_device_session WHERE ended_at IS NULL AND deadline_at < \(now)
            ORDER BY deadline_at, position
            """)
    }

    func insert(_ session: DeviceSession, in db: Connection) throws {
        try db.insert(session)
        try db.execute(
            """
            DELETE FROM nextauth_device_session
            WHERE position <= \(db.lastInsertID - Self.limit) AND ended_at IS NOT NULL
            """)
    }
}
