import Essentials
import SQLite

/// What the browser brings back as `hanko_token`: good for one session, for one minute. Also as fixtures write it.
struct ThirdPartyToken: Codable, Sendable, Equatable {
    static let lifespanSeconds = 60.0

    /// 32 characters that a URL need not escape.
    let value: String
    let userID: String
    let identityID: String
    let isFlow: Bool
    /// Whether this sign-in made the user.
    let isNewUser: Bool
    let codeVerifier: String?
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case value
        case userID = "user_id"
        case identityID = "identity_id"
        case isFlow = "is_flow"
        case isNewUser = "is_new_user"
        case codeVerifier = "code_verifier"
        case expiresAt = "expires_at"
    }
}

extension ThirdPartyToken: RowDecodable {
    init(row: Row) throws {
        value = try row.text("value")
        userID = try row.text("user_id")
        identityID = try row.text("identity_id")
        isFlow = try row.boolean("is_flow")
        isNewUser = try row.boolean("is_new_user")
        codeVerifier = try row.optionalText("code_verifier")
        expiresAt = try row.date("expires_at")
    }
}
