import Essentials
import PlatformKit

extension AuthorizationServer {
    /// Asks whoever has a say in an issue; other servers may be called, so never inside a transaction.
    ///
    /// The transaction that issues comes after it, and applies the ruling. Nothing is written before: what refuses here spends no
    /// code and no refresh token.
    ///
    /// - Throws: ``IssueRefusal``, also when no scope is left of some.
    package func ruling(on proposal: IssueProposal) throws -> IssueRuling {
        let ruling = IssueRuling(proposal, try policy.review(proposal))
        guard !ruling.scope.isEmpty || proposal.scope.isEmpty else {
            throw IssueRefusal.scopesDenied(
                page: nil,
                explanation:
                    "All scopes that the client “\(proposal.client.id)” would get, “\(proposal.scope.text)”, were removed by "
                    + "those who were asked; without one there is nothing to issue.")
        }
        return ruling
    }

    /// The same for a token request that makes a grant of its own.
    func ruled(_ grant: Grant, _ call: ClientCall) throws -> Grant {
        try ruling(on: IssueProposal(client: call.client, grant: grant, call.request)).applied(to: grant)
    }
}
