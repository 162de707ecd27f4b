import Essentials
import PlatformKit
import SQLite

/// A user's account at a third party.
struct Identity: Record, Equatable {
    static let table: Table = "hanko_identity"

    let id: String
    let userID: String
    /// As clients name it: `google`, `custom_NAME`.
    let provider: String
    /// The user's id at the provider.
    let subject: String
    var emailID: String?
    /// As the provider gave them.
    var claims: JSONValue
    let createdAt: Date
    var updatedAt: Date
    /// It was linked by an address that the provider has not verified: whoever has the account there may still be anybody.
    var needsProof = false

    enum CodingKeys: String, CodingKey {
        case id, provider, subject, claims
        case userID = "user_id"
        case emailID = "email_id"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case needsProof = "needs_proof"
    }
}

extension Identity {
    /// In fixtures everything but provider and subject may be left out.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        userID = try members.owner(.userID)
        provider = try members.decode(String.self, forKey: .provider)
        subject = try members.decode(String.self, forKey: .subject)
        id =
            try members.decodeIfPresent(String.self, forKey: .id)
            ?? EntryID.made("identity", of: "\(provider) \(subject)")
        emailID = try members.decodeIfPresent(String.self, forKey: .emailID)
        claims = try members.decodeIfPresent(JSONValue.self, forKey: .claims) ?? .object([:])
        createdAt = try members.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
        updatedAt = try members.decodeIfPresent(Date.self, forKey: .updatedAt) ?? createdAt
        needsProof = try members.decodeIfPresent(Bool.self, forKey: .needsProof) ?? false
    }
}

extension Connection {
    func identity(_ id: String) throws -> Identity? { try first(Identity.self, where: "id = \(id)") }

    func identity(provider: String, subject: String) throws -> Identity? {
        try first(Identity.self, where: "provider = \(provider) AND subject = \(subject)")
    }
}

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
