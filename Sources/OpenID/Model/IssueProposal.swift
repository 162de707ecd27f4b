package import HTTP

/// A code or tokens that would be issued, for those who have a say in it.
package struct IssueProposal: Sendable {
    package let client: Client
    /// As it would be made; when a refresh token is traded, as it stands.
    package let grant: Grant
    /// Of the access token: the grant's own, or less for a refresh token.
    package let scope: ScopeList
    package let isRefresh: Bool
    package let request: Request

    package init(
        client: Client, grant: Grant, scope: ScopeList? = nil, isRefresh: Bool = false, _ request: Request
    ) {
        (self.client, self.grant, self.scope) = (client, grant, scope ?? grant.scope)
        (self.isRefresh, self.request) = (isRefresh, request)
    }
}
