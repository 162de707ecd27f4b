import Essentials

/// A session as the admin API shows it: the row of the database.
struct AdminSession: Encodable, Sendable {
    let session: Session

    init(_ session: Session) { self.session = session }

    enum CodingKeys: String, CodingKey {
        case id
        case userID = "user_id"
        case userAgent = "user_agent"
        case address = "ip_address"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case expiresAt = "expires_at"
        case lastUsed = "last_used"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(session.id, forKey: .id)
        try members.encode(session.userID, forKey: .userID)
        // Null where there is none.
        try members.encode(session.userAgent, forKey: .userAgent)
        try members.encode(session.ipAddress, forKey: .address)
        try members.encode(session.createdAt, forKey: .createdAt)
        try members.encode(session.updatedAt, forKey: .updatedAt)
        try members.encode(session.expiresAt, forKey: .expiresAt)
        try members.encode(session.lastUsed, forKey: .lastUsed)
    }
}
