package import Essentials
package import PlatformKit
package import SQLite

/// A code that a browser carries to a client, which trades it for tokens once. Source: RFC 6749 §4.1; RFC 7636.
package struct AuthorizationCode: Traced, Equatable {
    package static let table = Table("openid_code", key: "digest", order: "issued_at, rowid")

    /// SHA-256 of its text.
    package var digest: DigestText
    package var grantID: String
    package var clientID: String
    /// Nil when the request named none; then the token request need not either.
    package var redirectURI: String?
    package var challenge: String?
    /// `S256` or `plain`.
    package var challengeMethod: String?
    package var issuedAt: Date
    package var expiresAt: Date
    package var spentAt: Date?
    /// Thumbprint of the key that has to redeem it. Source: RFC 9449 §10.
    package var proofKey: String?

    package enum CodingKeys: String, CodingKey {
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

    package init(
        digest: [UInt8], grantID: String, clientID: String, redirectURI: String?, challenge: String?,
        challengeMethod: String?, issuedAt: Date, expiresAt: Date, spentAt: Date? = nil
    ) {
        (self.digest, self.grantID, self.clientID, self.redirectURI) = (
            DigestText(digest), grantID, clientID, redirectURI
        )
        (self.challenge, self.challengeMethod) = (challenge, challengeMethod)
        (self.issuedAt, self.expiresAt, self.spentAt) = (issuedAt, expiresAt, spentAt)
    }
}

extension AuthorizationCode {
    package var subjects: [Subject] {
        [Subject(.code, digest: digest.bytes, "Login"), Subject(.grant, grantID)]
    }
}

extension ServerRecords<AuthorizationCode> {
    package func find(_ digest: [UInt8], in db: Connection) throws -> AuthorizationCode? {
        try first(where: "digest = \(digest)", in: db)
    }
}
