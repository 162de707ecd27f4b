import Essentials
import SQLite

/// The device's side of a login: it runs until somebody or something ends it.
struct DeviceSession: Sendable, Equatable, Codable {
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
}

extension DeviceSession: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.text("id"), instance: try row.text("instance"), server: try row.text("server"),
            account: try row.integer("account"), hsid: try row.text("hsid"), type: try row.word("type"),
            webNonce: try row.optionalText("web_nonce"), pingTime: try row.integer("ping_time"),
            inactivityTimeout: try row.optionalInteger("inactivity_timeout"),
            appLoginTimeout: try row.optionalInteger("app_login_timeout"),
            startedAt: try row.date("started_at"), lastPingAt: try row.date("last_ping_at"),
            activityAt: try row.optionalDate("activity_at"), isPingAsked: try row.boolean("is_ping_asked"),
            endedAt: try row.optionalDate("ended_at"), ending: try row.optionalWord("ending"))
    }
}
