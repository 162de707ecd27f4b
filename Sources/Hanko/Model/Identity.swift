import Essentials
import SQLite

/// A user's account at a third party.
struct Identity: Sendable, Equatable {
    let id: String
    let userID: String
    /// As clients name it: `google`, `custom_NAME`.
    let provider: String
    /// The user's id at the provider.
    let subject: String
    var emailID: String?
    /// As the provider gave them.
    var claims: JSONValue
    let createdAt: Date
    var updatedAt: Date
    /// It was linked by an address that the provider has not verified: whoever has the account there may still be anybody.
    var needsProof = false
}

extension Identity: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        userID = try row.text("user_id")
        provider = try row.text("provider")
        subject = try row.text("subject")
        emailID = try row.optionalText("email_id")
        claims = try JSONValue(parsing: Array(row.text("claims").utf8))
        createdAt = try row.date("created_at")
        updatedAt = try row.date("updated_at")
        needsProof = try row.boolean("needs_proof")
    }
}
