package import Essentials

/// A ``RefreshToken`` in a fixture file.
package struct RefreshTokenFixture: Codable, Sendable {
    package var digest: DigestText
    package var id: String
    package var grantID: String
    package var clientID: String
    package var scope: String
    package var issuedAt: Date
    package var expiresAt: Date
    package var spentAt: Date?
    package var answer: String?
    package var proofKey: String?
    package var ended: EndFixture?

    enum CodingKeys: String, CodingKey {
        case digest, id
        case grantID = "grant_id"
        case clientID = "client_id"
        case scope
        case issuedAt = "issued_at"
        case expiresAt = "expires_at"
        case spentAt = "spent_at"
        case answer, ended
        case proofKey = "proof_key"
    }

    init(_ token: RefreshToken) {
        (digest, id, grantID) = (DigestText(token.digest), token.id, token.grantID)
        (clientID, scope) = (token.clientID, token.scope.text)
        (issuedAt, expiresAt, spentAt) = (token.issuedAt, token.expiresAt, token.spentAt)
        (answer, ended) = (token.answer, EndFixture(token.end))
        proofKey = token.proofKey
    }

    var token: RefreshToken {
        var token = RefreshToken(
            digest: digest.bytes, id: id, grantID: grantID, clientID: clientID, scope: ScopeList(scope),
            issuedAt: issuedAt, expiresAt: expiresAt, spentAt: spentAt, answer: answer, end: ended?.end)
        token.proofKey = proofKey
        return token
    }
}
