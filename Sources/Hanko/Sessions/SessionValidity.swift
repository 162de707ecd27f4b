import Essentials

/// What `/sessions/validate` says: `{"is_valid":false}`, or the token's claims under long names.
struct SessionValidity: Encodable, Sendable {
    private let accepted: AcceptedSession?
    private let idleExpiration: Date?

    static let invalid = SessionValidity(accepted: nil, idleExpiration: nil)

    private init(accepted: AcceptedSession?, idleExpiration: Date?) {
        self.accepted = accepted
        self.idleExpiration = idleExpiration
    }

    /// - Parameter idleTimeoutSeconds: nil where sessions do not end by lying idle.
    init(_ accepted: AcceptedSession, idleTimeoutSeconds: Double?) {
        let expiration = accepted.claims.expirationDate
        self.init(
            accepted: accepted,
            idleExpiration: idleTimeoutSeconds.map {
                min(accepted.session.lastUsed.addingTimeInterval($0), expiration)
            })
    }

    enum CodingKeys: String, CodingKey {
        case isValid = "is_valid"
        case claims
        case expiration = "expiration_time"
        case userID = "user_id"
        case idleExpiration = "idle_expires_at"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(accepted != nil, forKey: .isValid)
        guard let claims = accepted?.claims else { return }
        try members.encode(LongClaims(claims: claims), forKey: .claims)
        try members.encode(claims.expirationDate, forKey: .expiration)
        try members.encode(claims.subject, forKey: .userID)
        try members.encodeIfPresent(idleExpiration, forKey: .idleExpiration)
    }

    /// The claims of a session under long names, also in the payload of flows.
    struct LongClaims: Encodable {
        let claims: SessionClaims

        enum CodingKeys: String, CodingKey {
            case subject, expiration, audience, issuer, email, username, amr
            case issuedAt = "issued_at"
            case sessionID = "session_id"
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(claims.subject, forKey: .subject)
            try members.encode(Date(timeIntervalSince1970: Double(claims.issuedAt)), forKey: .issuedAt)
            try members.encode(claims.expirationDate, forKey: .expiration)
            try members.encode(claims.audience, forKey: .audience)
            try members.encodeIfPresent(claims.issuer, forKey: .issuer)
            try members.encode(claims.sessionID, forKey: .sessionID)
            try members.encodeIfPresent(claims.email, forKey: .email)
            try members.encodeIfPresent(claims.username, forKey: .username)
            try members.encodeIfPresent(claims.amr, forKey: .amr)
            try claims.encodeOthers(to: encoder)
        }
    }
}
