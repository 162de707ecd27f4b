package import Essentials
package import PlatformKit
package import SQLite

/// A user logged in with a browser.
package struct BrowserSession: Traced, Equatable {
    package static let table = Table("openid_session", key: "sid")

    /// A client that was given something in the session, and the issuer that it knows.
    package struct Part: Codable, Sendable, Equatable {
        package var clientID: String
        package var issuer: String

        enum CodingKeys: String, CodingKey {
            case clientID = "client_id"
            case issuer
        }
    }

    /// `sid`: a UUID that clients may know.
    package var id: String
    /// SHA-256 of the session cookie.
    package var digest: DigestText
    package var subject: String
    /// When the user really logged in.
    package var authenticatedAt: Date
    package var acr: String?
    package var amr: [String]
    /// Changes at login and logout; scripts of relying parties compare it. Source: OpenID Connect Session Management 1.0 §3.
    package var browserState: String
    package var userAgent: String
    package var ipAddress: String
    package var lastUsedAt: Date
    package var expiresAt: Date
    /// Claims that were typed at the login, over those of the user, until the session ends.
    package var loginClaims: [String: JSONValue] = [:]
    /// Nil for none.
    package var clients: [Part]?

    package enum CodingKeys: String, CodingKey {
        case id = "sid"
        case digest
        case subject = "sub"
        case authenticatedAt = "authenticated_at"
        case acr, amr
        case browserState = "browser_state"
        case userAgent = "user_agent"
        case ipAddress = "ip_address"
        case lastUsedAt = "last_used_at"
        case expiresAt = "expires_at"
        case clients
        case loginClaims = "login_claims"
    }

    package init(
        id: String, digest: [UInt8], subject: String, authenticatedAt: Date, acr: String?, amr: [String],
        browserState: String, userAgent: String, ipAddress: String, lastUsedAt: Date, expiresAt: Date
    ) {
        (self.id, self.digest, self.subject) = (id, DigestText(digest), subject)
        (self.authenticatedAt, self.acr, self.amr, self.browserState) = (
            authenticatedAt, acr, amr, browserState
        )
        (self.userAgent, self.ipAddress) = (userAgent, ipAddress)
        (self.lastUsedAt, self.expiresAt) = (lastUsedAt, expiresAt)
    }
}

extension BrowserSession {
    package var subjects: [Subject] { [Subject(.session, id)] }
}

extension BrowserSession {
    /// Remembers that a client was given something in this session, and by which name it knows this server.
    mutating func note(client id: String, issuer: String) {
        var parts = clients ?? []
        if let index = parts.firstIndex(where: { $0.clientID == id }) {
            parts[index].issuer = issuer
        } else {
            parts.append(Part(clientID: id, issuer: issuer))
        }
        clients = parts
    }
}

extension ServerRecords<BrowserSession> {
    package func find(digest: [UInt8], in db: Connection) throws -> BrowserSession? {
        try first(where: "digest = \(digest)", in: db)
    }

    package func find(_ id: String, in db: Connection) throws -> BrowserSession? {
        try first(where: "sid = \(id)", in: db)
    }

    /// Oldest first.
    package func all(of subject: String, in db: Connection) throws -> [BrowserSession] {
        try all(where: "sub = \(subject)", in: db)
    }

    package func remove(_ id: String, in db: Connection) throws { try delete(where: "sid = \(id)", in: db) }

    /// Adds what ``BrowserSession/note(client:issuer:)`` does to a session that is there.
    package func note(client id: String, issuer: String, in sessionID: String, _ db: Connection) throws {
        guard var session = try find(sessionID, in: db) else { return }
        session.note(client: id, issuer: issuer)
        try update(session, in: db)
    }

    /// Of all servers of the world together.
    private static var limit: Int { 10_000 }

    /// Adds a new session. What ended goes, of all servers of the world, since the index knows the time alone, and so do the oldest
    /// beyond the limit; a `limit` of the table would look for them at each insert.
    func begin(_ session: BrowserSession, at now: Date, in db: Connection) throws {
        try db.delete(BrowserSession.self, where: "expires_at <= \(now)")
        try insert(session, in: db)
        try db.delete(BrowserSession.self, where: "rowid <= \(db.lastInsertID - Self.limit)")
    }
}
