import Essentials

/// A user as `GET /me` and the flows show one. Members without a value are left out.
struct Profile: Encodable, Sendable {
    let account: Account
    let configuration: Configuration

    init(_ account: Account, _ configuration: Configuration) {
        self.account = account
        self.configuration = configuration
    }

    enum CodingKeys: String, CodingKey {
        case id
        case userID = "user_id"
        case passkeys
        case securityKeys = "security_keys"
        case mfa = "mfa_config"
        case emails, username
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case metadata, identities, name
        case givenName = "given_name"
        case familyName = "family_name"
        case picture
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(Username(of: account.user), forKey: .username)
        try encodeCommon(to: encoder)
    }

    /// Every member that `GET /users/{id}` shows in the same way: all but `username`.
    func encodeCommon(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        let user = account.user
        try members.encode(user.id, forKey: .id)
        try members.encode(user.id, forKey: .userID)
        if configuration.passkey.isEnabled {
            try members.encodeIfPresent(Self.credentials(account.passkeys), forKey: .passkeys)
        }
        if configuration.mfa.offersSecurityKeys {
            try members.encodeIfPresent(Self.credentials(account.securityKeys), forKey: .securityKeys)
        }
        try members.encode(MFAState(account, configuration.mfa), forKey: .mfa)
        try members.encodeIfPresent(emails, forKey: .emails)
        try members.encode(user.createdAt, forKey: .createdAt)
        try members.encode(user.updatedAt, forKey: .updatedAt)
        try members.encodeIfPresent(MetadataOutput(account.metadata), forKey: .metadata)
        try members.encodeIfPresent(identities, forKey: .identities)
        try members.encodeIfPresent(user.name, forKey: .name)
        try members.encodeIfPresent(user.givenName, forKey: .givenName)
        try members.encodeIfPresent(user.familyName, forKey: .familyName)
        try members.encodeIfPresent(user.picture, forKey: .picture)
    }

    private static func credentials(_ credentials: [Credential]) -> [CredentialOutput]? {
        credentials.isEmpty ? nil : credentials.map(CredentialOutput.init)
    }

    private var emails: [EmailOutput]? {
        let (identities, rules) = (account.identities, configuration.thirdParty)
        return account.emails.isEmpty
            ? nil : account.emails.map { EmailOutput($0, identities: identities, rules: rules) }
    }

    private var identities: [IdentityOutput]? {
        let rules = configuration.thirdParty
        return account.identities.isEmpty
            ? nil : account.identities.map { IdentityOutput($0, rules: rules) }
    }
}

/// The second factors of a user.
struct MFAState: Encodable, Sendable {
    let hasTOTP: Bool
    let offersTOTP: Bool
    let offersSecurityKeys: Bool

    init(_ account: Account, _ mfa: MFAConfiguration) {
        hasTOTP = account.otpSecret != nil
        offersTOTP = mfa.offersTOTP
        offersSecurityKeys = mfa.offersSecurityKeys
    }

    enum CodingKeys: String, CodingKey {
        case hasTOTP = "auth_app_set_up"
        case offersTOTP = "totp_enabled"
        case offersSecurityKeys = "security_keys_enabled"
    }
}

/// The metadata that a user may see.
struct MetadataOutput: Encodable, Sendable {
    let `public`: JSONValue?
    let unsafe: JSONValue?

    /// Nil when there is nothing to see.
    init?(_ metadata: Metadata) {
        guard metadata.public != nil || metadata.unsafe != nil else { return nil }
        `public` = metadata.public
        unsafe = metadata.unsafe
    }

    enum CodingKeys: String, CodingKey {
        case `public` = "public_metadata"
        case unsafe = "unsafe_metadata"
    }
}
