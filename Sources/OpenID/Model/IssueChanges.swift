package import Essentials

/// What an extension wants otherwise about an issue.
package struct IssueChanges: Sendable, Equatable {
    /// Scopes that are not granted; those that nobody asked for do not matter.
    package var removedScopes: Set<String> = []
    /// Claims for the access token. ``AccessTokenClaims/reserved`` tells which of them it may not have.
    package var claims: [String: JSONValue] = [:]

    package init() {}
}
