package import Essentials
package import SQLite

/// An access token as the server remembers it. Its text is kept nowhere, only a ``digest``.
package struct AccessToken: Sendable, Equatable {
    /// SHA-256 of an opaque token's text; of the `jti` of a JWT.
    package var digest: [UInt8]
    /// UUID, for management APIs.
    package var id: String
    package var grantID: String
    package var clientID: String
    package var subject: String?
    package var scope: ScopeList
    package var audience: [String]
    package var issuer: String
    package var format: AccessTokenFormat
    package var issuedAt: Date
    package var expiresAt: Date
    /// Given by others.
    package var claims: [String: JSONValue] = [:]
    /// Thumbprint of the key to which it is bound; nil for a bearer token. Source: RFC 9449 §6.
    package var proofKey: String?
    /// How often it was used, where that is limited.
    package var uses = 0
    package var end: TokenEnd?

    package init(
        digest: [UInt8], id: String, grantID: String, clientID: String, subject: String?, scope: ScopeList,
        audience: [String], issuer: String, format: AccessTokenFormat, issuedAt: Date, expiresAt: Date,
        end: TokenEnd? = nil
    ) {
        (self.digest, self.id, self.grantID, self.clientID) = (digest, id, grantID, clientID)
        (self.subject, self.scope, self.audience, self.issuer) = (subject, scope, audience, issuer)
        (self.format, self.issuedAt, self.expiresAt, self.end) = (format, issuedAt, expiresAt, end)
    }

    package func isAlive(at now: Date) -> Bool { end == nil && now < expiresAt }
}

extension AccessToken: RowDecodable {
    package init(row: Row) throws {
        self.init(
            digest: try row.blob("digest"), id: try row.text("id"), grantID: try row.text("grant_id"),
            clientID: try row.text("client_id"), subject: try row.optionalText("subject"),
            scope: ScopeList(try row.text("scope")), audience: ScopeList(try row.text("audience")).names,
            issuer: try row.text("issuer"),
            format: AccessTokenFormat(rawValue: try row.text("format")) ?? .opaque,
            issuedAt: try row.date("issued_at"), expiresAt: try row.date("expires_at"),
            end: try TokenEnd(row: row))
        claims = try row.optionalJSON("claims")?.object ?? [:]
        uses = try row.integer("uses")
        proofKey = try row.optionalText("proof_key")
    }
}
