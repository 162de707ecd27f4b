import Essentials
import SQLite

/// A mail address: of a user, or of nobody as long as nobody confirmed it.
struct Email: Record, Equatable {
    static let table: Table = "hanko_email"

    let id: String
    /// Nil while the address is not assigned.
    let userID: String?
    /// Lower case, unique.
    let address: String
    let isVerified: Bool
    let isPrimary: Bool
    let createdAt: Date
    let updatedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, address
        case userID = "user_id"
        case isVerified = "is_verified"
        case isPrimary = "is_primary"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// The same address, nobody's.
    var unassigned: Email {
        Email(
            id: id, userID: nil, address: address, isVerified: isVerified, isPrimary: false,
            createdAt: createdAt, updatedAt: updatedAt)
    }
}

extension Connection {
    func email(_ id: String) throws -> Email? { try first(Email.self, where: "id = \(id)") }

    func email(address: String) throws -> Email? { try first(Email.self, where: "address = \(address)") }

    /// In the order in which they came.
    func emails(of userID: String) throws -> [Email] { try all(Email.self, where: "user_id = \(userID)") }

    func primaryEmail(of userID: String) throws -> Email? {
        try first(Email.self, where: "user_id = \(userID) AND is_primary")
    }

    /// Stores a confirmed address; its user has no other in view any more.
    func confirm(_ email: Email) throws {
        try update(email)
        try execute(
            "UPDATE hanko_user SET pending_email_id = NULL WHERE id = \(email.userID) AND pending_email_id = \(email.id)"
        )
    }

    /// - Parameter id: of an address of the user.
    func makePrimary(_ id: String, of userID: String, at now: Date) throws {
        // First none, then one: there may be one alone at any time.
        try execute(
            "UPDATE hanko_email SET is_primary = 0, updated_at = \(now) WHERE user_id = \(userID) AND is_primary"
        )
        try execute("UPDATE hanko_email SET is_primary = 1, updated_at = \(now) WHERE id = \(id)")
    }
}

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
