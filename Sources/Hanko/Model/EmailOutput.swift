/// An address as profile and `GET /emails` show it, with the third-party identities that brought it.
struct EmailOutput: Encodable, Sendable {
    let id: String
    let address: String
    let isVerified: Bool
    let isPrimary: Bool
    /// The first of ``identities``; kept by the original for older clients.
    let identity: IdentityOutput?
    /// Nil rather than empty.
    let identities: [IdentityOutput]?

    init(_ email: Email, identities: [Identity], rules: ThirdPartyRules) {
        id = email.id
        address = email.address
        isVerified = email.isVerified
        isPrimary = email.isPrimary
        let own = identities.filter { $0.emailID == email.id }.map { IdentityOutput($0, rules: rules) }
        identity = own.first
        self.identities = own.isEmpty ? nil : own
    }

    enum CodingKeys: String, CodingKey {
        case id, address
        case isVerified = "is_verified"
        case isPrimary = "is_primary"
        case identity, identities
    }
}
