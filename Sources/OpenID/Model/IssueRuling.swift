import Essentials

/// What came of asking about an issue. It is good for the one that was asked about, and for no other.
package struct IssueRuling: Sendable {
    private let grantID: String
    private let clientID: String
    private let subject: String?
    private let asked: ScopeList
    /// What is left of the scope.
    let scope: ScopeList
    /// For the access token.
    let claims: [String: JSONValue]

    init(_ proposal: IssueProposal, _ changes: IssueChanges) {
        grantID = proposal.grant.id
        clientID = proposal.client.id
        subject = proposal.grant.subject
        asked = proposal.scope
        scope = ScopeList(asked.names.filter { !changes.removedScopes.contains($0) })
        claims = AccessTokenClaims.permitted(changes.claims)
    }

    /// - Throws: ``IssueRefusal`` for another issue than the one that was asked about.
    func check(_ grant: Grant, scope: ScopeList) throws(IssueRefusal) {
        guard grant.id == grantID, grant.clientID == clientID, grant.subject == subject, scope == asked else {
            throw .outdated(clientID: clientID)
        }
    }

    /// The grant with what is left of its scope, and the claims.
    package func applied(to grant: Grant) throws(IssueRefusal) -> Grant {
        try check(grant, scope: grant.scope)
        var grant = grant
        grant.scope = scope
        grant.tokenClaims = claims
        return grant
    }
}
