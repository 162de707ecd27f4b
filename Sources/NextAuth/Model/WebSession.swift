import Essentials
import SQLite

/// A session of a back end, which names it by a nonce; devices and the WebSocket by its hash.
struct WebSession: Record, Equatable {
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
