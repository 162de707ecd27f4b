import Essentials

/// An address as the admin API shows it.
struct AdminEmail: Encodable, Sendable {
    let id: String
    let address: String
    let isVerified: Bool
    let isPrimary: Bool
    let createdAt: Date
    let updatedAt: Date

    init(_ email: Email) {
        (id, address) = (email.id, email.address)
        (isVerified, isPrimary) = (email.isVerified, email.isPrimary)
        (createdAt, updatedAt) = (email.createdAt, email.updatedAt)
    }

    enum CodingKeys: String, CodingKey {
        case id, address
        case isVerified = "is_verified"
        case isPrimary = "is_primary"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

/// That there is a password, and since when.
struct AdminPassword: Encodable, Sendable {
    let id: String
    let createdAt: Date
    let updatedAt: Date

    init(_ password: Password) {
        (id, createdAt, updatedAt) = (password.id, password.createdAt, password.updatedAt)
    }

    enum CodingKeys: String, CodingKey {
        case id
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

/// That there is an authenticator app, and since when.
struct AdminOTP: Encodable, Sendable {
    let id: String
    let createdAt: Date

    init(_ secret: OTPSecret) { (id, createdAt) = (secret.id, secret.createdAt) }

    enum CodingKeys: String, CodingKey {
        case id
        case createdAt = "created_at"
    }
}

/// An account at a third party.
struct AdminIdentity: Encodable, Sendable {
    let id: String
    /// The user's id at the provider, whatever the member is called.
    let subject: String
    let provider: String
    let emailID: String?
    let createdAt: Date
    let updatedAt: Date

    init(_ identity: Identity) {
        (id, subject, provider) = (identity.id, identity.subject, identity.provider)
        (emailID, createdAt, updatedAt) = (identity.emailID, identity.createdAt, identity.updatedAt)
    }

    enum CodingKeys: String, CodingKey {
        case id
        case subject = "provider_id"
        case provider = "provider_name"
        case emailID = "email_id"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

/// All three kinds of metadata.
struct AdminMetadata: Encodable, Sendable {
    let metadata: Metadata

    /// Nil when there is none.
    init?(_ metadata: Metadata) {
        guard !metadata.isEmpty else { return nil }
        self.metadata = metadata
    }

    enum CodingKeys: String, CodingKey {
        case `public` = "public_metadata"
        case `private` = "private_metadata"
        case unsafe = "unsafe_metadata"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(metadata.public, forKey: .public)
        try members.encodeIfPresent(metadata.private, forKey: .private)
        try members.encodeIfPresent(metadata.unsafe, forKey: .unsafe)
    }
}
