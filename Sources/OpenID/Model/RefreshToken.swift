package import Essentials
package import SQLite

/// A refresh token as the server remembers it.
package struct RefreshToken: Sendable, Equatable {
    /// SHA-256 of its text.
    package var digest: [UInt8]
    /// UUID, for management APIs.
    package var id: String
    package var grantID: String
    package var clientID: String
    package var scope: ScopeList
    package var issuedAt: Date
    /// The earlier of idle and absolute lifetime.
    package var expiresAt: Date
    /// When it was traded for the next one.
    package var spentAt: Date?
    /// The token response that it was traded for, as JSON, for the grace window.
    package var answer: String?
    package var end: TokenEnd?
    /// Thumbprint of the key that has to come with it: for a client that has no credentials. Source: RFC 9449 §5.
    package var proofKey: String?

    package init(
        digest: [UInt8], id: String, grantID: String, clientID: String, scope: ScopeList, issuedAt: Date,
        expiresAt: Date, spentAt: Date? = nil, answer: String? = nil, end: TokenEnd? = nil
    ) {
        (self.digest, self.id, self.grantID, self.clientID, self.scope) = (
            digest, id, grantID, clientID, scope
        )
        (self.issuedAt, self.expiresAt, self.spentAt) = (issuedAt, expiresAt, spentAt)
        (self.answer, self.end) = (answer, end)
    }
}

extension RefreshToken: RowDecodable {
    package init(row: Row) throws {
        self.init(
            digest: try row.blob("digest"), id: try row.text("id"), grantID: try row.text("grant_id"),
            clientID: try row.text("client_id"), scope: ScopeList(try row.text("scope")),
            issuedAt: try row.date("issued_at"), expiresAt: try row.date("expires_at"),
            spentAt: try row.optionalDate("spent_at"), answer: try row.optionalText("answer"),
            end: try TokenEnd(row: row))
        proofKey = try row.optionalText("proof_key")
    }
}
