import Essentials

/// What a session token says.
///
/// `{"sub":"…","iat":1767225600,"exp":1767268800,"aud":["localhost"],"session_id":"…","email":{…}}`
struct SessionClaims: Codable, Sendable, Equatable {
    let subject: String
    /// Seconds since 1970.
    let issuedAt: Int
    /// Seconds since 1970.
    let expiration: Int
    let audience: [String]
    let issuer: String?
    /// Absent in tokens that another version issued; such a token is refused.
    let sessionID: String?
    let email: EmailClaim?
    /// Only in tokens of flows and of the admin API.
    var username: String?
    /// How the user signed in, only in tokens of flows, such as `["pwd", "totp"]`.
    var amr: [String]?

    /// Seconds since 1970 that every format on the wire can say.
    static let times = 0...253_402_300_799

    var expirationDate: Date { Date(timeIntervalSince1970: Double(expiration)) }

    enum CodingKeys: String, CodingKey {
        case subject = "sub"
        case issuedAt = "iat"
        case expiration = "exp"
        case audience = "aud"
        case issuer = "iss"
        case sessionID = "session_id"
        case email, username, amr
    }
}

extension SessionClaims {
    /// What the token of a new session says.
    init(_ opened: OpenedSession, _ rules: Configuration.Session) {
        let issuedAt = Int(opened.session.createdAt.timeIntervalSince1970)
        self.init(
            subject: opened.session.userID, issuedAt: issuedAt, expiration: issuedAt + rules.lifespanSeconds,
            audience: rules.audience, issuer: rules.issuer, sessionID: opened.session.id,
            email: opened.email.map(EmailClaim.init), username: opened.username, amr: opened.amr)
    }
}

/// The primary address of the user when the token was issued.
struct EmailClaim: Codable, Sendable, Equatable {
    let address: String
    let isPrimary: Bool
    let isVerified: Bool

    enum CodingKeys: String, CodingKey {
        case address
        case isPrimary = "is_primary"
        case isVerified = "is_verified"
    }

    init(_ email: Email) {
        address = email.address
        isPrimary = email.isPrimary
        isVerified = email.isVerified
    }
}
