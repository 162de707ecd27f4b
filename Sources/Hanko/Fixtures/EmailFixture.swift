import Essentials
import PlatformKit
import SQLite

/// An address as people write one: what is left out depends on where it stands.
struct EmailFixture: Codable, Sendable {
    /// Version 4 UUID in lower case; made of the address when left out.
    var id: String?
    var address: String
    /// When left out: true for a user's address, false for one that is nobody's.
    var isVerified: Bool?
    /// When left out: true for the first of a user none of whose addresses says so.
    var isPrimary: Bool?
    /// 2026-01-01 when left out.
    var createdAt: Date?
    /// `created_at` when left out.
    var updatedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, address
        case isVerified = "is_verified"
        case isPrimary = "is_primary"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    init(_ email: Email) {
        (id, address) = (email.id, email.address)
        (isVerified, isPrimary) = (email.isVerified, email.isPrimary)
        (createdAt, updatedAt) = (email.createdAt, email.updatedAt)
    }
}
