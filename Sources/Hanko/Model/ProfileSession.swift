import Essentials

/// A session as the profile lists it. Members without a value are left out. Source: Hanko 2.7, `session.show_on_profile`.
struct ProfileSession: Encodable, Sendable {
    let id: String
    let userAgentRaw: String?
    /// See ``ShortUserAgent``.
    let userAgent: String?
    let ipAddress: String?
    /// Whether it is the one that asks.
    let isCurrent: Bool
    let createdAt: Date
    let expiresAt: Date
    let lastUsed: Date

    init(_ session: Session, isCurrent: Bool) {
        id = session.id
        userAgentRaw = session.userAgent
        userAgent = session.userAgent.map(ShortUserAgent.text)
        ipAddress = session.ipAddress
        self.isCurrent = isCurrent
        createdAt = session.createdAt
        expiresAt = session.expiresAt
        lastUsed = session.lastUsed
    }

    enum CodingKeys: String, CodingKey {
        case id
        case userAgentRaw = "user_agent_raw"
        case userAgent = "user_agent"
        case ipAddress = "ip_address"
        case isCurrent = "current"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case lastUsed = "last_used"
    }
}
