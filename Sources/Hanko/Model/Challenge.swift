import Essentials
import SQLite

/// A challenge of the classic endpoints that waits for its answer. Flows keep theirs to themselves.
struct Challenge: Sendable, Equatable {
    enum Ceremony: String, Codable, Sendable { case registration, authentication }

    /// Base64url.
    let challenge: String
    let ceremony: Ceremony
    /// Nil when anybody may answer.
    let userID: String?
    /// As the options asked for it.
    let userVerification: String
    /// Base64url; empty when any credential is welcome.
    let allowedCredentials: [String]
    let createdAt: Date
    let expiresAt: Date
}

extension Challenge: RowDecodable {
    init(row: Row) throws {
        challenge = try row.text("challenge")
        ceremony = Ceremony(rawValue: try row.text("ceremony")) ?? .authentication
        userID = try row.optionalText("user_id")
        userVerification = try row.text("user_verification")
        allowedCredentials = try JSONText.strings(row.text("allowed_credentials"))
        createdAt = try row.date("created_at")
        expiresAt = try row.date("expires_at")
    }
}
