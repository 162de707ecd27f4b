import Essentials
import HTTP

/// A user as the admin API and the webhooks show one: everything there is. Members without a value are left out.
struct AdminUser: Encodable, Sendable {
    let account: Account
    /// Who caused the event; webhooks alone tell it.
    private var client: Client?

    private struct Client: Sendable {
        let address: String
        let userAgent: String?
    }

    init(_ account: Account) { self.account = account }

    /// For a webhook.
    init(_ account: Account, _ request: Request) {
        self.account = account
        client = Client(address: request.peer.address, userAgent: request.headers["User-Agent"])
    }

    enum CodingKeys: String, CodingKey {
        case id
        case credentials = "webauthn_credentials"
        case emails, username
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case password, identities, otp, metadata, name
        case givenName = "given_name"
        case familyName = "family_name"
        case picture
        case address = "ip_address"
        case userAgent = "user_agent"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        let user = account.user
        try members.encode(user.id, forKey: .id)
        try members.encodeIfPresent(
            Self.some(account.credentials.map(CredentialOutput.init)), forKey: .credentials)
        try members.encodeIfPresent(Self.some(account.emails.map(AdminEmail.init)), forKey: .emails)
        try members.encodeIfPresent(Username(of: user), forKey: .username)
        try members.encode(user.createdAt, forKey: .createdAt)
        try members.encode(user.updatedAt, forKey: .updatedAt)
        try members.encodeIfPresent(account.password.map(AdminPassword.init), forKey: .password)
        try members.encodeIfPresent(
            Self.some(account.identities.map(AdminIdentity.init)), forKey: .identities)
        try members.encodeIfPresent(account.otpSecret.map(AdminOTP.init), forKey: .otp)
        try members.encodeIfPresent(AdminMetadata(account.metadata), forKey: .metadata)
        try members.encodeIfPresent(user.name, forKey: .name)
        try members.encodeIfPresent(user.givenName, forKey: .givenName)
        try members.encodeIfPresent(user.familyName, forKey: .familyName)
        try members.encodeIfPresent(user.picture, forKey: .picture)
        try members.encodeIfPresent(client?.address, forKey: .address)
        try members.encodeIfPresent(client?.userAgent, forKey: .userAgent)
    }

    private static func some<Entry>(_ entries: [Entry]) -> [Entry]? { entries.isEmpty ? nil : entries }
}
