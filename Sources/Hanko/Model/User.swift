import Essentials
import SQLite

/// Somebody who can sign in, or will be able to once an address is confirmed.
struct User: Sendable, Equatable {
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
    let pendingEmailID: String?
    let createdAt: Date
    var updatedAt: Date

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

    /// Gives, changes or takes the username.
    mutating func rename(_ username: String?, at now: Date) {
        usernameCreatedAt = username == nil ? nil : usernameCreatedAt ?? now
        usernameUpdatedAt = username == nil ? nil : now
        self.username = username
        updatedAt = now
    }
}

extension User: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        username = try row.optionalText("username")
        usernameCreatedAt = try row.optionalDate("username_created_at")
        usernameUpdatedAt = try row.optionalDate("username_updated_at")
        name = try row.optionalText("name")
        givenName = try row.optionalText("given_name")
        familyName = try row.optionalText("family_name")
        picture = try row.optionalText("picture")
        pendingEmailID = try row.optionalText("pending_email_id")
        createdAt = try row.date("created_at")
        updatedAt = try row.date("updated_at")
    }
}
