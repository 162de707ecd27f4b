import Essentials
import SQLite

/// Somebody who can sign in, or will be able to once an address is confirmed.
struct User: Sendable, Equatable {
    let id: String
    let username: String?
    let name: String?
    let givenName: String?
    let familyName: String?
    let picture: String?
    /// The address that the user registered and has not confirmed.
    let pendingEmailID: String?
    let createdAt: Date
    let updatedAt: Date
}

extension User {
    /// A user without anything, as `POST /users` makes one.
    init(id: String, pendingEmailID: String?, createdAt: Date) {
        self.init(
            id: id, username: nil, name: nil, givenName: nil, familyName: nil, picture: nil,
            pendingEmailID: pendingEmailID, createdAt: createdAt, updatedAt: createdAt)
    }
}

extension User: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        username = try row.optionalText("username")
        name = try row.optionalText("name")
        givenName = try row.optionalText("given_name")
        familyName = try row.optionalText("family_name")
        picture = try row.optionalText("picture")
        pendingEmailID = try row.optionalText("pending_email_id")
        createdAt = try row.date("created_at")
        updatedAt = try row.date("updated_at")
    }
}
