/// An identity as the profile shows it: `{"id": subject, "provider": display name, "identity_id": uuid}`.
struct IdentityOutput: Encodable, Sendable {
    let id: String
    let provider: String
    let identityID: String

    init(_ identity: Identity, rules: ThirdPartyRules) {
        id = identity.subject
        provider = rules.displayName(of: identity.provider)
        identityID = identity.id
    }

    enum CodingKeys: String, CodingKey {
        case id, provider
        case identityID = "identity_id"
    }
}
