package import Essentials
package import SQLite

/// A code that a browser carries to a client, which trades it for tokens once. Source: RFC 6749 §4.1; RFC 7636.
package struct AuthorizationCode: Sendable, Equatable {
    /// SHA-256 of its text.
    package var digest: [UInt8]
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

    package init(
        digest: [UInt8], grantID: String, clientID: String, redirectURI: String?, challenge: String?,
        challengeMethod: String?, issuedAt: Date, expiresAt: Date, spentAt: Date? = nil
    ) {
        (self.digest, self.grantID, self.clientID, self.redirectURI) = (
            digest, grantID, clientID, redirectURI
        )
        (self.challenge, self.challengeMethod) = (challenge, challengeMethod)
        (self.issuedAt, self.expiresAt, self.spentAt) = (issuedAt, expiresAt, spentAt)
    }
}

extension AuthorizationCode: RowDecodable {
    package init(row: Row) throws {
        self.init(
            digest: try row.blob("digest"), grantID: try row.text("grant_id"),
            clientID: try row.text("client_id"), redirectURI: try row.optionalText("redirect_uri"),
            challenge: try row.optionalText("challenge"),
            challengeMethod: try row.optionalText("challenge_method"), issuedAt: try row.date("issued_at"),
            expiresAt: try row.date("expires_at"), spentAt: try row.optionalDate("spent_at"))
        proofKey = try row.optionalText("proof_key")
    }
}
