package import Essentials
package import PlatformKit
package import SQLite

/// An access token as the server remembers it. Its text is kept nowhere, only a ``digest``.
package struct AccessToken: Traced, Equatable {
    package static let table = Table("openid_access_token", key: "digest", order: "issued_at, rowid")

    /// SHA-256 of an opaque token's text; of the `jti` of a JWT.
    package var digest: DigestText
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

    package enum CodingKeys: String, CodingKey {
        case digest, id
        case grantID = "grant_id"
        case clientID = "client_id"
        case subject = "sub"
        case scope
        case audience = "aud"
        case issuer, format
        case issuedAt = "issued_at"
        case expiresAt = "expires_at"
        case claims, uses
        case proofKey = "proof_key"
        case end = "ended"
    }

    package init(
        digest: [UInt8], id: String, grantID: String, clientID: String, subject: String?, scope: ScopeList,
        audience: [String], issuer: String, format: AccessTokenFormat, issuedAt: Date, expiresAt: Date,
        end: TokenEnd? = nil
    ) {
        (self.digest, self.id, self.grantID, self.clientID) = (DigestText(digest), id, grantID, clientID)
        (self.subject, self.scope, self.audience, self.issuer) = (subject, scope, audience, issuer)
        (self.format, self.issuedAt, self.expiresAt, self.end) = (format, issuedAt, expiresAt, end)
    }

    /// By hand, because introspection and every use of a token read it: in a debug build 107 to 131 µs for a query with this reader, 130
    /// to 144 µs with the one that the compiler makes.
    package init(row: Row) throws {
        guard let format = AccessTokenFormat(rawValue: try row.text("format")) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [CodingKeys.format], debugDescription: "no format of access tokens"))
        }
        self.init(
            digest: try row.blob("digest"), id: try row.text("id"), grantID: try row.text("grant_id"),
            clientID: try row.text("client_id"), subject: try row.optionalText("sub"),
            scope: ScopeList(try row.text("scope")), audience: try row.names("aud"),
            issuer: try row.text("issuer"), format: format, issuedAt: try row.date("issued_at"),
            expiresAt: try row.date("expires_at"), end: try row.end())
        claims = try row.members("claims")
        uses = try row.integer("uses")
        proofKey = try row.optionalText("proof_key")
    }

    package func isAlive(at now: Date) -> Bool { end == nil && now < expiresAt }
}

extension AccessToken {
    package var subjects: [Subject] { [Subject(.grant, grantID)] }
}

/// What the server's codes and tokens have in common.
enum Token {
    /// How many rows are added between two tidyings; a `limit` of the tables would look for the oldest at each insert.
    static let tidyInterval = 512
}

extension ServerRecords<AccessToken> {
    package func find(_ digest: [UInt8], in db: Connection) throws -> AccessToken? {
        try first(where: "digest = \(digest)", in: db)
    }

    /// Oldest first; also those that are not good any more.
    package func ofGrant(_ id: String, in db: Connection) throws -> [AccessToken] {
        try all(where: "grant_id = \(id)", in: db)
    }

    /// Counts one use.
    func noteUse(of token: AccessToken, in db: Connection) throws {
        var token = token
        token.uses.increment()
        try db.update(token, .uses)
    }

    /// How many tokens a world remembers of all its servers; beyond that the oldest are forgotten, alive or not.
    private static var limit: Int { 50_000 }
    /// The same for those of clients for themselves, which a load test makes by the thousand.
    private static var clientLimit: Int { 10_000 }

    /// Forgets the oldest.
    ///
    /// - Parameter last: row of the newest.
    func tidy(upTo last: Int, in db: Connection) throws {
        try db.delete(
            AccessToken.self,
            where: """
                rowid <= \(last - Self.clientLimit) AND (sub IS NULL OR rowid <= \(last - Self.limit))
                """)
    }
}
