import Essentials
import PlatformKit
import SQLite

/// A session of a back end, which names it by a nonce; devices and the WebSocket by its hash. Kept are the 10,000
/// that changed last, and all that are logged in.
struct WebSession: Traced, Equatable {
    static let table = Table("nextauth_web_session", key: "server", "hsid")

    enum State: String, Sendable, Codable, CaseIterable {
        case new = "NEW"
        /// A device has read the code or the push.
        case pending = "PENDING"
        case loggedIn = "LOGGED_IN"
        case loggedOut = "LOGGED_OUT"
    }

    let server: String
    let hsid: String
    /// Nil as long as only the hash was seen.
    var nonce: String?
    var state = State.new
    /// Who is logged in.
    var account: Int?
    /// Who was logged in last, kept after the logout for a push.
    var lastAccount: Int?
    /// The device's side of the login that stands.
    var deviceSession: String?
    /// Kept for the running session and the history.
    var sessionInfo: JSONValue?
    /// What the app shows before its user confirms.
    var announceInfo: JSONValue?
    /// When a page showed its login code; nil for a session that nobody can log in with one.
    var codeShownAt: Date?
    var changedAt: Date

    enum CodingKeys: String, CodingKey {
        case server, hsid, nonce, state, account
        case lastAccount = "last_account"
        case deviceSession = "device_session"
        case sessionInfo = "session_info"
        case announceInfo = "announce_info"
        case codeShownAt = "code_shown_at"
        case changedAt = "changed_at"
    }

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
}

extension WebSession {
    var subjects: [Subject] { [Subject(.session, secret: hsid)] }
}

extension WebSession {
    static func find(_ hsid: String, of server: String, in db: Connection) throws -> WebSession? {
        try db.first(WebSession.self, where: "server = \(server) AND hsid = \(hsid)")
    }

    /// Those that changed last, newest first.
    static func newest(_ count: Int, in db: Connection) throws -> [WebSession] {
        try db.all(
            WebSession.self,
            """
            SELECT * FROM nextauth_web_session ORDER BY changed_at DESC, position DESC LIMIT \(count)
            """)
    }

    /// Those whose login code was shown, the latest first.
    static func shown(_ count: Int, in db: Connection) throws -> [WebSession] {
        try db.all(
            WebSession.self,
            """
            SELECT * FROM nextauth_web_session WHERE code_shown_at IS NOT NULL
            ORDER BY code_shown_at DESC, position DESC LIMIT \(count)
            """)
    }

    /// How many show a code that nobody has used, and that came later than a time.
    static func countWaiting(since time: Date, in db: Connection) throws -> Int {
        try db.count(
            WebSession.self,
            where: """
                code_shown_at > \(time) AND state IN (\(State.new.rawValue), \(State.pending.rawValue))
                """)
    }

    private static let limit = 10_000

    /// Keeps the session, new or changed.
    static func save(_ session: WebSession, in db: Connection) throws {
        try db.save(session)
        try db.execute(
            """
            DELETE FROM nextauth_web_session WHERE position IN (
                SELECT position FROM nextauth_web_session WHERE state <> 'LOGGED_IN'
                ORDER BY changed_at DESC, position DESC LIMIT -1 OFFSET \(Self.limit))
            """)
    }
}

extension WebSession {
    /// Whether a login can be pushed: an earlier one succeeded, and its account is still good for it.
    ///
    /// - Parameter account: the one that was logged in last; nil when it is gone.
    func canProvoke(_ account: Account?) -> Bool {
        guard let account, account.id == lastAccount else { return false }
        return state != .loggedIn && !account.isBlocked
    }
}
