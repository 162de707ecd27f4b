import Essentials

/// A user as `GET /me` shows one. Members without a value are left out.
///
/// Passkeys, security keys, identities and metadata belong to endpoints that are not emulated yet: nobody has any.
struct Profile: Encodable, Sendable {
    let id: String
    let mfa: MFAState
    /// Nil rather than empty.
    let emails: [EmailOutput]?
    let username: Username?
    let createdAt: Date
    let updatedAt: Date
    let name: String?
    let givenName: String?
    let familyName: String?
    let picture: String?

    init(_ user: User, emails: [Email], configuration: Configuration) {
        id = user.id
        mfa = MFAState(configuration.mfa)
        self.emails = emails.isEmpty ? nil : emails.map(EmailOutput.init)
        username = Username(of: user)
        createdAt = user.createdAt
        updatedAt = user.updatedAt
        name = user.name
        givenName = user.givenName
        familyName = user.familyName
        picture = user.picture
    }

    enum CodingKeys: String, CodingKey {
        case id
        case userID = "user_id"
        case mfa = "mfa_config"
        case emails, username
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case name
        case givenName = "given_name"
        case familyName = "family_name"
        case picture
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(username, forKey: .username)
        try encodeCommon(to: encoder)
    }

    /// Every member that `GET /users/{id}` shows in the same way: all but `username`.
    func encodeCommon(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(id, forKey: .userID)
        try members.encode(mfa, forKey: .mfa)
        try members.encodeIfPresent(emails, forKey: .emails)
        try members.encode(createdAt, forKey: .createdAt)
        try members.encode(updatedAt, forKey: .updatedAt)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(givenName, forKey: .givenName)
        try members.encodeIfPresent(familyName, forKey: .familyName)
        try members.encodeIfPresent(picture, forKey: .picture)
    }
}

/// The second factors of a user.
struct MFAState: Encodable, Sendable {
    let hasTOTP: Bool
    let offersTOTP: Bool
    let offersSecurityKeys: Bool

    init(_ mfa: Configuration.MFA) {
        hasTOTP = false
        offersTOTP = mfa.offersTOTP
        offersSecurityKeys = mfa.offersSecurityKeys
    }

    enum CodingKeys: String, CodingKey {
        case hasTOTP = "auth_app_set_up"
        case offersTOTP = "totp_enabled"
        case offersSecurityKeys = "security_keys_enabled"
    }
}
