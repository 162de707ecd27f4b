package import Essentials

/// An ``AuthorizationCode`` in a fixture file.
package struct CodeFixture: Codable, Sendable {
    package var digest: DigestText
    package var grantID: String
    package var clientID: String
    package var redirectURI: String?
    package var challenge: String?
    package var challengeMethod: String?
    package var issuedAt: Date
    package var expiresAt: Date
    package var spentAt: Date?
    package var proofKey: String?

    enum CodingKeys: String, CodingKey {
        case digest
        case grantID = "grant_id"
        case clientID = "client_id"
        case redirectURI = "redirect_uri"
        case challenge = "code_challenge"
        case challengeMethod = "code_challenge_method"
        case issuedAt = "issued_at"
        case expiresAt = "expires_at"
        case spentAt = "spent_at"
        case proofKey = "proof_key"
    }

    init(_ code: AuthorizationCode) {
        (digest, grantID, clientID) = (DigestText(code.digest), code.grantID, code.clientID)
        (redirectURI, challenge, challengeMethod) = (code.redirectURI, code.challenge, code.challengeMethod)
        (issuedAt, expiresAt, spentAt) = (code.issuedAt, code.expiresAt, code.spentAt)
        proofKey = code.proofKey
    }

    var code: AuthorizationCode {
        var code = AuthorizationCode(
            digest: digest.bytes, grantID: grantID, clientID: clientID, redirectURI: redirectURI,
            challenge: challenge, challengeMethod: challengeMethod, issuedAt: issuedAt, expiresAt: expiresAt,
            spentAt: spentAt)
        code.proofKey = proofKey
        return code
    }
}
