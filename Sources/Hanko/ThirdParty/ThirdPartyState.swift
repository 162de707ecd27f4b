import Essentials
import PlatformKit
import SQLite

/// A sign-in that is under way at a provider, also as fixtures write it. The original packs it into an encrypted `state`; here the state is a random name
/// for it, which clients cannot tell from that.
struct ThirdPartyState: Traced, Equatable {
    static let table = Table("hanko_third_party_state", key: "state", limit: 1_000)

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

extension ThirdPartyState {
    var subjects: [Subject] { [Subject(.login, secret: state, "Login", "by \(provider)")] }
}

/// What the browser brings back as `hanko_token`: good for one session, for one minute. Also as fixtures write it.
struct ThirdPartyToken: Traced, Equatable {
    static let table = Table("hanko_third_party_token", key: "value", limit: 1_000)

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

extension ThirdPartyToken {
    var subjects: [Subject] { [Subject(.code, secret: value)] }
}
