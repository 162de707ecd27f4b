import Essentials
import PlatformKit
import SQLite

/// A sign-in that the server remembers. Its id is the claim `session_id` of the token.
struct Session: Traced, Equatable {
    static let table: Table = "hanko_session"

    let id: String
    let userID: String
    let userAgent: String?
    let ipAddress: String?
    let createdAt: Date
    let updatedAt: Date
    let expiresAt: Date
    var lastUsed: Date

    enum CodingKeys: String, CodingKey {
        case id
        case userID = "user_id"
        case userAgent = "user_agent"
        case ipAddress = "ip_address"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case expiresAt = "expires_at"
        case lastUsed = "last_used"
    }

    /// Seconds that the session lies idle beyond `timeout`; nil when it does not, or when nothing limits that.
    func secondsIdle(beyond timeout: Double?, at now: Date) -> Double? {
        guard let timeout else { return nil }
        let excess = now.timeIntervalSince(lastUsed) - timeout
        return excess > 0 ? excess : nil
    }
}

extension Session {
    var subjects: [Subject] { [Subject(.session, id)] }
}

extension Session {
    /// `updated_at` and `last_used` may be left out in fixtures.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        userID = try members.decode(String.self, forKey: .userID)
        userAgent = try members.decodeIfPresent(String.self, forKey: .userAgent)
        ipAddress = try members.decodeIfPresent(String.self, forKey: .ipAddress)
        createdAt = try members.decode(Date.self, forKey: .createdAt)
        updatedAt = try members.decodeIfPresent(Date.self, forKey: .updatedAt) ?? createdAt
        expiresAt = try members.decode(Date.self, forKey: .expiresAt)
        lastUsed = try members.decodeIfPresent(Date.self, forKey: .lastUsed) ?? createdAt
    }
}

extension Connection {
    func session(_ id: String) throws -> Session? { try first(Session.self, where: "id = \(id)") }

    /// Those that a token could still name, the newest first.
    func activeSessions(of userID: String, at now: Date) throws -> [Session] {
        try all(
            Session.self, where: "user_id = \(userID) AND expires_at > \(now)",
            order: "created_at DESC, rowid DESC")
    }

    /// Opens a session, and drops the user's oldest ones beyond the limit.
    func open(_ new: NewSession, for userID: String) throws -> OpenedSession {
        let session = new.session(for: userID)
        // Expired ones are refused by their tokens alone; nobody misses their rows.
        try delete(Session.self, where: "user_id = \(userID) AND expires_at <= \(new.createdAt)")
        try insert(session)
        let all = try all(
            Session.self, where: "user_id = \(userID)", order: "created_at DESC, rowid DESC")
        let dropped = Array(all.dropFirst(new.limit))
        for old in dropped { try delete(old) }
        let account = new.template.isEmpty ? nil : try account(userID)
        return OpenedSession(
            session: session, email: try primaryEmail(of: userID), dropped: dropped,
            others: account.map(new.template.evaluated) ?? [:])
    }
}

/// A session that is about to be opened for whoever the code turns out to belong to.
struct NewSession: Sendable {
    let id: String
    let userAgent: String?
    let ipAddress: String?
    let createdAt: Date
    let lifespanSeconds: Int
    /// Sessions that a user may have, this one included.
    let limit: Int
    /// What the token says besides.
    var template = ClaimTemplate()
    /// What its token goes out as.
    var carrier = "X-Auth-Token"

    /// Its times are those of its token, in whole seconds.
    func session(for userID: String) -> Session {
        let issuedAt = Date(timeIntervalSince1970: createdAt.timeIntervalSince1970.rounded(.down))
        return Session(
            id: id, userID: userID, userAgent: userAgent, ipAddress: ipAddress, createdAt: issuedAt,
            updatedAt: issuedAt, expiresAt: issuedAt.addingTimeInterval(Double(lifespanSeconds)),
            lastUsed: issuedAt)
    }
}

/// A session that was opened, with what its token says.
struct OpenedSession: Sendable {
    let session: Session
    /// The user's primary address, if there is one.
    let email: Email?
    /// The user's oldest sessions, which had to make room.
    let dropped: [Session]
    /// What the token says besides: only flows and the admin API say it.
    var username: String?
    var amr: [String]?
    /// The claims of the configuration.
    var others: [String: JSONValue] = [:]
}
