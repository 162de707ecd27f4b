package import Essentials

/// An ``AccessToken`` in a fixture file.
package struct AccessTokenFixture: Codable, Sendable {
    package var digest: DigestText
    package var id: String
    package var grantID: String
    package var clientID: String
    package var subject: String?
    package var scope: String
    package var audience: [String]?
    package var issuer: String
    package var format: AccessTokenFormat
    package var issuedAt: Date
    package var expiresAt: Date
    package var claims: [String: JSONValue]?
    package var uses: Int?
    package var proofKey: String?
    package var ended: EndFixture?

    enum CodingKeys: String, CodingKey {
        case digest, id
        case grantID = "grant_id"
        case clientID = "client_id"
        case subject = "sub"
        case scope
        case audience = "aud"
        case issuer, format
        case issuedAt = "issued_at"
        case expiresAt = "expires_at"
        case claims, uses, ended
        case proofKey = "proof_key"
    }

    init(_ token: AccessToken) {
        (digest, id, grantID) = (DigestText(token.digest), token.id, token.grantID)
        (clientID, subject, scope) = (token.clientID, token.subject, token.scope.text)
        (audience, issuer, format) = (
            token.audience.isEmpty ? nil : token.audience, token.issuer, token.format
        )
        (issuedAt, expiresAt, ended) = (token.issuedAt, token.expiresAt, EndFixture(token.end))
        (claims, uses) = (token.claims.isEmpty ? nil : token.claims, token.uses == 0 ? nil : token.uses)
        proofKey = token.proofKey
    }

    var token: AccessToken {
        var token = AccessToken(
            digest: digest.bytes, id: id, grantID: grantID, clientID: clientID, subject: subject,
            scope: ScopeList(scope), audience: audience ?? [], issuer: issuer, format: format,
            issuedAt: issuedAt,
            expiresAt: expiresAt, end: ended?.end)
        (token.claims, token.uses) = (claims ?? [:], uses ?? 0)
        token.proofKey = proofKey
        return token
    }
}
