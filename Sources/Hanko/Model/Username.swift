import Crypto
import Essentials
import PlatformKit

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
