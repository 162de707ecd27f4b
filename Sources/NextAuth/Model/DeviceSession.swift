import Essentials
import SQLite

/// The device's side of a login: it runs until somebody or something ends it.
struct DeviceSession: Record, Equatable {
    static let table = Table("nextauth_device_session")

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
}
