import Essentials

/// Tokens that stand in the database and lack their signatures.
package struct PreparedTokens: Sendable {
    package let client: Client
    /// As it stands now, with the context that ``ServerExtension/terms(of:in:)`` gave it.
    package let grant: Grant
    package let access: AccessToken
    /// Text of an opaque access token, `jti` of a JWT.
    let handle: String
    package let refreshToken: String?
    /// What an ID token says of the user.
    let idTokenClaims: [String: JSONValue]
    /// Whether a refresh token was traded for these.
    let isRefresh: Bool
    /// The world's time; ``AccessToken/issuedAt`` is what tokens say.
    let now: Date
    /// `issued_token_type` of an exchange. Source: RFC 8693 §2.2.1.
    var issuedTokenType: String?
    /// Members of the platform's own.
    let members: [String: JSONValue]
    /// The same for the claims of a JWT.
    let claims: [String: JSONValue]

    /// Source: OpenID Connect Core 1.0 §3.1.3.3. An exchange is no authentication.
    var hasIDToken: Bool {
        grant.subject != nil && access.scope.contains(ScopeList.openID)
            && grant.type != GrantType.tokenExchange
    }
}
