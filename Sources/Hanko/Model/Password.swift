import Essentials
import SQLite

/// The password of a user.
struct Password: Sendable, Equatable {
    let id: String
    let userID: String
    /// See ``PasswordHash``.
    let hash: String
    let createdAt: Date
    let updatedAt: Date

    func matches(_ password: String) throws -> Bool {
        try PasswordHash(text: hash)?.matches(password) ?? false
    }
}

extension Password: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        userID = try row.text("user_id")
        hash = try row.text("hash")
        createdAt = try row.date("created_at")
        updatedAt = try row.date("updated_at")
    }
}
