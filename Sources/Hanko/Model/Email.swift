import Essentials
import SQLite

/// A mail address: of a user, or of nobody as long as nobody confirmed it.
struct Email: Sendable, Equatable {
    let id: String
    /// Nil while the address is not assigned.
    let userID: String?
    /// Lower case, unique.
    let address: String
    let isVerified: Bool
    let isPrimary: Bool
    let createdAt: Date
    let updatedAt: Date
}

extension Email {
    /// The same address, nobody's.
    var unassigned: Email {
        Email(
            id: id, userID: nil, address: address, isVerified: isVerified, isPrimary: false,
            createdAt: createdAt,
            updatedAt: updatedAt)
    }
}

extension Email: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        userID = try row.optionalText("user_id")
        address = try row.text("address")
        isVerified = try row.integer("is_verified") != 0
        isPrimary = try row.integer("is_primary") != 0
        createdAt = try row.date("created_at")
        updatedAt = try row.date("updated_at")
    }
}
