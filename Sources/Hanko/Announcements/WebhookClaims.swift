import Essentials

/// What the token of a webhook says.
///
/// `{"sub":"hanko webhooks","iat":…,"exp":…,"aud":["localhost"],"evt":"user.create","data":{…}}`
struct WebhookClaims: Sendable {
    static let lifetimeSeconds = 300

    /// Seconds since 1970.
    let issuedAt: Int
    let audience: [String]
    let event: WebhookEvent
    let data: JSONValue

    var json: JSONValue {
        [
            "sub": "hanko webhooks",
            "iat": .integer(issuedAt),
            "exp": .integer(issuedAt + Self.lifetimeSeconds),
            "aud": JSONValue(audience),
            "evt": .string(event.rawValue),
            "data": data,
        ]
    }
}

/// `{"token": jwt, "event": "user.create"}`
struct WebhookBody: Encodable, Sendable {
    let token: String
    let event: WebhookEvent
}
