import Essentials
import SQLite

/// A sign-in that the server remembers. Its id is the claim `session_id` of the token.
struct Session: Sendable, Equatable {
    let id: String
    let userID: String
    let userAgent: String?
    let ipAddress: String?
    let createdAt: Date
    let updatedAt: Date
    let expiresAt: Date
    let lastUsed: Date

    func used(at now: Date) -> Session {
        Session(
            id: id, userID: userID, userAgent: userAgent, ipAddress: ipAddress, createdAt: createdAt,
            updatedAt: updatedAt, expiresAt: expiresAt, lastUsed: now)
    }

    /// Seconds that the session lies idle beyond `timeout`; nil when it does not, or when nothing limits that.
    func secondsIdle(beyond timeout: Double?, at now: Date) -> Double? {
        guard let timeout else { return nil }
        let excess = now.timeIntervalSince(lastUsed) - timeout
        return excess > 0 ? excess : nil
    }
}

extension Session: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        userID = try row.text("user_id")
        userAgent = try row.optionalText("user_agent")
        ipAddress = try row.optionalText("ip_address")
        createdAt = try row.date("created_at")
        updatedAt = try row.date("updated_at")
        expiresAt = try row.date("expires_at")
        lastUsed = try row.date("last_used")
    }
}
