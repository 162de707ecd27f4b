package import Essentials

/// A ``Grant`` in a fixture file.
package struct GrantFixture: Codable, Sendable {
    package var id: String
    package var clientID: String
    package var subject: String?
    package var scope: String
    package var issuer: String
    package var type: String
    package var sessionID: String?
    package var authenticatedAt: Date?
    package var acr: String?
    package var amr: [String]?
    package var nonce: String?
    package var claims: JSONValue?
    package var audience: [String]?
    package var actor: JSONValue?
    package var context: String?
    package var ownParameters: [String: [String]]?
    package var tokenClaims: [String: JSONValue]?
    package var loginClaims: [String: JSONValue]?
    package var createdAt: Date
    package var ended: EndFixture?

    enum CodingKeys: String, CodingKey {
        case id
        case clientID = "client_id"
        case subject = "sub"
        case scope, issuer, type
        case sessionID = "sid"
        case authenticatedAt = "authenticated_at"
        case acr, amr, nonce, claims
        case audience = "aud"
        case actor = "act"
        case context
        case ownParameters = "own_parameters"
        case tokenClaims = "token_claims"
        case loginClaims = "login_claims"
        case createdAt = "created_at"
        case ended
    }

    init(_ grant: Grant) {
        (id, clientID, subject, scope) = (grant.id, grant.clientID, grant.subject, grant.scope.text)
        (issuer, type, sessionID) = (grant.issuer, grant.type, grant.sessionID)
        (authenticatedAt, acr, nonce) = (grant.authenticatedAt, grant.acr, grant.nonce)
        (amr, audience) = (grant.amr.isEmpty ? nil : grant.amr, grant.audience.isEmpty ? nil : grant.audience)
        (claims, actor, context) = (grant.claims, grant.actor, grant.context)
        ownParameters = grant.ownParameters.isEmpty ? nil : grant.ownParameters
        tokenClaims = grant.tokenClaims.isEmpty ? nil : grant.tokenClaims
        loginClaims = grant.loginClaims.isEmpty ? nil : grant.loginClaims
        (createdAt, ended) = (grant.createdAt, EndFixture(grant.end))
    }

    var grant: Grant {
        var grant = Grant(
            id: id, clientID: clientID, subject: subject, scope: ScopeList(scope), issuer: issuer, type: type,
            sessionID: sessionID, authenticatedAt: authenticatedAt, acr: acr, amr: amr ?? [], nonce: nonce,
            claims: claims, audience: audience ?? [], actor: actor, context: context, createdAt: createdAt)
        (grant.ownParameters, grant.tokenClaims) = (ownParameters ?? [:], tokenClaims ?? [:])
        grant.loginClaims = loginClaims ?? [:]
        grant.end = ended?.end
        return grant
    }
}
