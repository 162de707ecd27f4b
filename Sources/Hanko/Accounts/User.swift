import Crypto
import Essentials
import PlatformKit
import SQLite

/// Somebody who can sign in, or will be able to once an address is confirmed.
struct User: Record, Equatable {
    static let table: Table = "hanko_user"

    let id: String
    /// Lower case, unique.
    private(set) var username: String?
    private(set) var usernameCreatedAt: Date?
    private(set) var usernameUpdatedAt: Date?
    var name: String?
    var givenName: String?
    var familyName: String?
    var picture: String?
    /// The address that the user registered and has not confirmed.
    var pendingEmailID: String?
    let createdAt: Date
    var updatedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, username, name, picture
        case usernameCreatedAt = "username_created_at"
        case usernameUpdatedAt = "username_updated_at"
        case givenName = "given_name"
        case familyName = "family_name"
        case pendingEmailID = "pending_email_id"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    init(
        id: String, username: String? = nil, name: String? = nil, givenName: String? = nil,
        familyName: String? = nil, picture: String? = nil, pendingEmailID: String? = nil, createdAt: Date,
        updatedAt: Date? = nil
    ) {
        (self.id, self.username, self.name) = (id, username, name)
        (self.givenName, self.familyName, self.picture) = (givenName, familyName, picture)
        (self.pendingEmailID, self.createdAt) = (pendingEmailID, createdAt)
        self.updatedAt = updatedAt ?? createdAt
        usernameCreatedAt = username == nil ? nil : createdAt
        usernameUpdatedAt = usernameCreatedAt
    }

    /// Times may be left out in fixtures.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let createdAt = try members.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
        self.init(
            id: try members.decode(String.self, forKey: .id),
            username: try members.decodeIfPresent(String.self, forKey: .username),
            name: try members.decodeIfPresent(String.self, forKey: .name),
            givenName: try members.decodeIfPresent(String.self, forKey: .givenName),
            familyName: try members.decodeIfPresent(String.self, forKey: .familyName),
            picture: try members.decodeIfPresent(String.self, forKey: .picture),
            pendingEmailID: try members.decodeIfPresent(String.self, forKey: .pendingEmailID),
            createdAt: createdAt, updatedAt: try members.decodeIfPresent(Date.self, forKey: .updatedAt))
        let begun = try members.decodeIfPresent(Date.self, forKey: .usernameCreatedAt)
        let changed = try members.decodeIfPresent(Date.self, forKey: .usernameUpdatedAt)
        guard username != nil else { return }
        usernameCreatedAt = begun ?? createdAt
        usernameUpdatedAt = changed ?? usernameCreatedAt
    }

    /// Gives, changes or takes the username.
    mutating func rename(_ username: String?, at now: Date) {
        usernameCreatedAt = username == nil ? nil : usernameCreatedAt ?? now
        usernameUpdatedAt = username == nil ? nil : now
        self.username = username
        updatedAt = now
    }
}

extension Connection {
    func user(_ id: String) throws -> User? { try first(User.self, where: "id = \(id)") }

    /// - Parameter username: in lower case.
    func user(named username: String) throws -> User? {
        try first(User.self, where: "username = \(username)")
    }
}

/// A user's name as a row of its own, whose id follows from the user's.
struct Username: Encodable, Sendable {
    let id: String
    let username: String
    let createdAt: Date
    let updatedAt: Date

    /// Nil for a user without a username.
    init?(of user: User) {
        guard let name = user.username else { return nil }
        id = Entropy.uuid(of: Digest.sha256(Array("hanko.username \(user.id)".utf8)))
        username = name
        createdAt = user.usernameCreatedAt ?? user.createdAt
        updatedAt = user.usernameUpdatedAt ?? user.createdAt
    }

    enum CodingKeys: String, CodingKey {
        case id, username
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
