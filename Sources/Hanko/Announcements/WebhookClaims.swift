import Essentials

/// What the token of a webhook says.
///
/// `{"sub":"hanko webhooks","iat":…,"exp":…,"aud":["localhost"],"evt":"user.create","data":{…}}`
struct WebhookClaims: Encodable, Sendable {
    static let lifetimeSeconds = 300

    /// Seconds since 1970.
    let issuedAt: Int
    let audience: [String]
    let event: WebhookEvent
    let data: JSONValue

    enum CodingKeys: String, CodingKey {
        case subject = "sub"
        case issuedAt = "iat"
        case expiration = "exp"
        case audience = "aud"
        case event = "evt"
        case data
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("hanko webhooks", forKey: .subject)
        try members.encode(issuedAt, forKey: .issuedAt)
        try members.encode(issuedAt + Self.lifetimeSeconds, forKey: .expiration)
        try members.encode(audience, forKey: .audience)
        try members.encode(event, forKey: .event)
        try members.encode(data, forKey: .data)
    }
}

/// `{"token": jwt, "event": "user.create"}`
struct WebhookBody: Encodable, Sendable {
    let token: String
    let event: WebhookEvent
}
