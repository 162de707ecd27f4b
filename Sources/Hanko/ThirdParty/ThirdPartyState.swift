import Essentials
import SQLite

/// A sign-in that is under way at a provider, also as fixtures write it. The original packs it into an encrypted `state`; here the state is a random name
/// for it, which clients cannot tell from that.
struct ThirdPartyState: Codable, Sendable, Equatable {
    static let lifespanSeconds = 300.0
    /// Bytes of ``redirectTo``; ours.
    static let redirectLimit = 2048
    /// Source: RFC 7636 §4.1.
    static let verifierLimit = 128

    /// The parameter `state`, 43 characters of base64url.
    let state: String
    let provider: String
    let redirectTo: String
    /// Sent to the provider for the ID token.
    let nonce: String
    /// Whether a flow asked, and not the classic endpoint.
    let isFlow: Bool
    /// The signed-in user whose account the provider's shall be connected to.
    let userID: String?
    /// Of PKCE, which the client must bring again; nil where it brought none.
    let codeVerifier: String?
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case state, provider
        case redirectTo = "redirect_to"
        case nonce
        case isFlow = "is_flow"
        case userID = "user_id"
        case codeVerifier = "code_verifier"
        case expiresAt = "expires_at"
    }
}

extension ThirdPartyState: RowDecodable {
    init(row: Row) throws {
        state = try row.text("state")
        provider = try row.text("provider")
        redirectTo = try row.text("redirect_to")
        nonce = try row.text("nonce")
        isFlow = try row.boolean("is_flow")
        userID = try row.optionalText("user_id")
        codeVerifier = try row.optionalText("code_verifier")
        expiresAt = try row.date("expires_at")
    }
}
