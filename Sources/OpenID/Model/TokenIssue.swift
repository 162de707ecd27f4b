package import Essentials
package import HTTP

/// Tokens that are about to be made.
package struct TokenIssue: Sendable {
    package let client: Client
    package let grant: Grant
    /// Of the token request.
    package let parameters: Form
    /// Whether a refresh token was traded; otherwise these are the grant's first tokens.
    package let isRefresh: Bool
    package let now: Date
    /// Thumbprint of the key to which the tokens are bound.
    package var proofKey: String?
    /// Whether the refresh token that was traded is good for more.
    package var keepsRefreshToken = false

    package init(client: Client, grant: Grant, parameters: Form, isRefresh: Bool, now: Date) {
        (self.client, self.grant, self.parameters) = (client, grant, parameters)
        (self.isRefresh, self.now) = (isRefresh, now)
    }
}

/// What an extension wants otherwise about an issue.
package struct IssueChanges: Sendable, Equatable {
    /// Scopes that are not granted; those that nobody asked for do not matter.
    package var removedScopes: Set<String> = []
    /// Claims for the access token. ``AccessTokenClaims/reserved`` tells which of them it may not have.
    package var claims: [String: JSONValue] = [:]

    package init() {}
}
