/// An address as profile and `GET /emails` show it. Third-party identities are not emulated yet: nobody has any.
struct EmailOutput: Encodable, Sendable {
    let id: String
    let address: String
    let isVerified: Bool
    let isPrimary: Bool

    init(_ email: Email) {
        id = email.id
        address = email.address
        isVerified = email.isVerified
        isPrimary = email.isPrimary
    }

    enum CodingKeys: String, CodingKey {
        case id, address
        case isVerified = "is_verified"
        case isPrimary = "is_primary"
    }
}
