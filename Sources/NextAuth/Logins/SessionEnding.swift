/// Why a device session ended. The words are the wire's.
enum SessionEnding: String, Sendable, Codable, CaseIterable {
    // By the app.
    case user = "USER"
    case inactivity = "INACTIVITY"
    case appLoginTimeout = "APPLOGIN_TIMEOUT"
    // By time.
    case pingTimeout = "PING_TIMEOUT"
    // By the server.
    case server = "SERVER_LOGOUT"
    case accountBlocked = "ACCOUNT_BLOCKED"
    case accountDeleted = "ACCOUNT_DELETED"
    case replaced = "REPLACED"
    case administrator = "ADMIN"

    /// What an app may give as its reason.
    static let ofApp: [SessionEnding] = [.user, .inactivity, .appLoginTimeout]
}
