import Essentials
import PlatformKit
import SQLite

/// The device's side of a login: it runs until somebody or something ends it. Ended ones are the history: the newest 10,000.
struct DeviceSession: Traced, Equatable {
    static let table = Table(
        "nextauth_device_session", limit: 10_000, keeping: "ended_at IS NULL")

    /// 16 bytes, base64url.
    let id: String
    let instance: String
    let server: String
    let account: Int
    let hsid: String
    let type: FlowType
    /// What the app hands to its back end; only an AppLogin has one.
    var webNonce: String?
    /// The server's when the session began: a change is for the next one. 0 for a one-shot login.
    let pingTime: Int
    /// Seconds.
    var inactivityTimeout: Int?
    /// Seconds after the start.
    var appLoginTimeout: Int?
    let startedAt: Date
    var lastPingAt: Date
    /// The last activity of the user that a ping reported.
    var activityAt: Date?
    /// A PING event was sent since the last ping.
    var isPingAsked = false
    var endedAt: Date?
    var ending: SessionEnding?

    var isAppLogin: Bool { type == .appLogin }

    /// To find those whose time is over.
    var derivedColumns: [DerivedColumn] { [DerivedColumn("deadline_at", deadline?.at)] }

    enum CodingKeys: String, CodingKey {
        case id, instance, server, account, hsid, type, ending
        case webNonce = "web_nonce"
        case pingTime = "ping_time"
        case inactivityTimeout = "inactivity_timeout"
        case appLoginTimeout = "app_login_timeout"
        case startedAt = "started_at"
        case lastPingAt = "last_ping_at"
        case activityAt = "activity_at"
        case isPingAsked = "is_ping_asked"
        case endedAt = "ended_at"
    }

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
}

extension DeviceSession {
    var subjects: [Subject] { [Subject(.session, id), Subject(.session, secret: hsid)] }
}

extension DeviceSession {
    static func find(_ id: String, in db: Connection) throws -> DeviceSession? {
        try db.first(DeviceSession.self, where: "id = \(id)")
    }

    static func find(_ id: String, of instance: String, in db: Connection) throws -> DeviceSession? {
        try db.first(DeviceSession.self, where: "id = \(id) AND instance = \(instance)")
    }

    /// Those that nobody and nothing has ended.
    static func running(of instance: String, in db: Connection) throws -> [DeviceSession] {
        try db.all(DeviceSession.self, where: "instance = \(instance) AND ended_at IS NULL")
    }

    static func running(ofAccount account: Int, in db: Connection) throws -> [DeviceSession] {
        try db.all(DeviceSession.self, where: "account = \(account) AND ended_at IS NULL")
    }

    static func newest(_ count: Int, in db: Connection) throws -> [DeviceSession] {
        try db.all(
            DeviceSession.self,
            "SELECT * FROM nextauth_device_session ORDER BY position DESC LIMIT \(count)")
    }

    /// Those that run and whose time is over.
    static func overdue(at now: Date, in db: Connection) throws -> [DeviceSession] {
        try db.all(
            DeviceSession.self, where: "ended_at IS NULL AND deadline_at < \(now)",
            order: "deadline_at, position")
    }
}
