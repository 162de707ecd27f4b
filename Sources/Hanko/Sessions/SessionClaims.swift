import Essentials

/// What a session token says.
///
/// `{"sub":"…","iat":1767225600,"exp":1767268800,"aud":["localhost"],"session_id":"…","email":{…}}`
struct SessionClaims: Sendable, Equatable {
    let subject: String
    /// Seconds since 1970.
    var issuedAt: Int
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
    /// Those that the configuration adds, see ``ClaimTemplate``.
    var others: [String: JSONValue] = [:]

    /// Seconds since 1970 that every format on the wire can say.
    static let times = 0...253_402_300_799

    /// What it says that is not as this server issues it, though it looks at none of it: part of a sentence; nil for nothing.
    func oddity(_ audience: [String], _ issuer: String?, type: String?) -> String? {
        var odd: [String] = []
        if self.audience != audience {
            odd.append("aud is \(JSONValue(self.audience).text) instead of \(JSONValue(audience).text)")
        }
        if self.issuer != issuer {
            odd.append("iss is \(self.issuer ?? "missing") instead of \(issuer ?? "missing")")
        }
        if let type, type != "JWT" { odd.append("typ is \(type.prefix(60)) instead of JWT") }
        return odd.isEmpty ? nil : odd.joined(separator: ", ")
    }

    var expirationDate: Date { Date(timeIntervalSince1970: Double(expiration)) }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case subject = "sub"
        case issuedAt = "iat"
        case expiration = "exp"
        case audience = "aud"
        case issuer = "iss"
        case sessionID = "session_id"
        case email, username, amr
    }
}

extension SessionClaims: Codable {
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            subject: try members.decode(String.self, forKey: .subject),
            issuedAt: try members.decode(Int.self, forKey: .issuedAt),
            expiration: try members.decode(Int.self, forKey: .expiration),
            audience: try members.decode([String].self, forKey: .audience),
            issuer: try members.decodeIfPresent(String.self, forKey: .issuer),
            sessionID: try members.decodeIfPresent(String.self, forKey: .sessionID),
            email: try members.decodeIfPresent(EmailClaim.self, forKey: .email),
            username: try members.decodeIfPresent(String.self, forKey: .username),
            amr: try members.decodeIfPresent([String].self, forKey: .amr))
        let all = try decoder.container(keyedBy: ClaimName.self)
        for name in all.allKeys where CodingKeys(rawValue: name.stringValue) == nil {
            others[name.stringValue] = try all.decode(JSONValue.self, forKey: name)
        }
    }

    func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }

    /// As the token says them.
    var json: JSONValue {
        var members = others
        func add(_ value: JSONValue?, as key: CodingKeys) { members[key.rawValue] = value }
        add(.string(subject), as: .subject)
        add(.integer(issuedAt), as: .issuedAt)
        add(.integer(expiration), as: .expiration)
        add(JSONValue(audience), as: .audience)
        add(issuer.map(JSONValue.string), as: .issuer)
        add(sessionID.map(JSONValue.string), as: .sessionID)
        add(email?.json, as: .email)
        add(username.map(JSONValue.string), as: .username)
        add(amr.map { JSONValue($0) }, as: .amr)
        return .object(members)
    }

    /// The claims of the configuration, as members of what is being encoded.
    func encodeOthers(to encoder: any Encoder) throws {
        guard !others.isEmpty else { return }
        var members = encoder.container(keyedBy: ClaimName.self)
        for (name, value) in others { try members.encode(value, forKey: ClaimName(stringValue: name)) }
    }
}

/// Any name of a claim.
private struct ClaimName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension SessionClaims {
    /// What the token of a new session says.
    init(_ opened: OpenedSession, _ configuration: Configuration) {
        let rules = configuration.session
        let issuedAt = opened.session.createdAt.unixSeconds
        self.init(
            subject: opened.session.userID, issuedAt: issuedAt,
            expiration: opened.session.expiresAt.unixSeconds,
            audience: configuration.audience, issuer: rules.issuer, sessionID: opened.session.id,
            email: opened.email.map(EmailClaim.init), username: opened.username, amr: opened.amr,
            others: opened.others)
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

    fileprivate var json: JSONValue {
        [
            CodingKeys.address.rawValue: .string(address),
            CodingKeys.isPrimary.rawValue: .boolean(isPrimary),
            CodingKeys.isVerified.rawValue: .boolean(isVerified),
        ]
    }
}
