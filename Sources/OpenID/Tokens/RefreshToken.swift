package import Essentials
package import PlatformKit
package import SQLite

/// A refresh token as the server remembers it.
package struct RefreshToken: Traced, Equatable {
    package static let table = Table("openid_refresh_token", key: "digest", order: "issued_at, rowid")

    /// SHA-256 of its text.
    package var digest: DigestText
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

    package enum CodingKeys: String, CodingKey {
        case digest, id
        case grantID = "grant_id"
        case clientID = "client_id"
        case scope
        case issuedAt = "issued_at"
        case expiresAt = "expires_at"
        case spentAt = "spent_at"
        case answer
        case end = "ended"
        case proofKey = "proof_key"
    }

    package init(
        digest: [UInt8], id: String, grantID: String, clientID: String, scope: ScopeList, issuedAt: Date,
        expiresAt: Date, spentAt: Date? = nil, answer: String? = nil, end: TokenEnd? = nil
    ) {
        (self.digest, self.id, self.grantID, self.clientID, self.scope) = (
            DigestText(digest), id, grantID, clientID, scope
        )
        (self.issuedAt, self.expiresAt, self.spentAt) = (issuedAt, expiresAt, spentAt)
        (self.answer, self.end) = (answer, end)
    }

    package func isAlive(at now: Date) -> Bool { end == nil && spentAt == nil && now < expiresAt }
}

extension RefreshToken {
    package var subjects: [Subject] { [Subject(.grant, grantID)] }
}

extension ServerRecords<RefreshToken> {
    package func find(_ digest: [UInt8], in db: Connection) throws -> RefreshToken? {
        try first(where: "digest = \(digest)", in: db)
    }

    /// Oldest first; also those that are not good any more.
    package func ofGrant(_ id: String, in db: Connection) throws -> [RefreshToken] {
        try all(where: "grant_id = \(id)", in: db)
    }

    /// How many tokens a world remembers of all its servers; beyond that the oldest are forgotten, alive or not.
    private static var limit: Int { 50_000 }

    /// Forgets the oldest.
    func tidy(in db: Connection) throws {
        try db.delete(
            RefreshToken.self, where: "rowid <= (SELECT max(rowid) FROM openid_refresh_token) - \(Self.limit)"
        )
    }
}
