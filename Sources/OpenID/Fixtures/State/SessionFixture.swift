package import Essentials

/// A ``BrowserSession`` in a fixture file, with the clients that took part in it.
package struct SessionFixture: Codable, Sendable {
    /// A client that was given something in the session, and the issuer that it knows.
    package struct Part: Codable, Sendable {
        package var clientID: String
        package var issuer: String

        enum CodingKeys: String, CodingKey {
            case clientID = "client_id"
            case issuer
        }
    }

    package var id: String
    package var digest: DigestText
    package var subject: String
    package var authenticatedAt: Date
    package var acr: String?
    package var amr: [String]?
    package var browserState: String
    package var userAgent: String
    package var ipAddress: String
    package var lastUsedAt: Date
    package var expiresAt: Date
    package var clients: [Part]?
    package var loginClaims: [String: JSONValue]?

    enum CodingKeys: String, CodingKey {
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

    init(_ session: BrowserSession, clients: [(id: String, issuer: String)]) {
        (id, digest, subject) = (session.id, DigestText(session.digest), session.subject)
        (authenticatedAt, acr) = (session.authenticatedAt, session.acr)
        (amr, browserState) = (session.amr.isEmpty ? nil : session.amr, session.browserState)
        (userAgent, ipAddress) = (session.userAgent, session.ipAddress)
        (lastUsedAt, expiresAt) = (session.lastUsedAt, session.expiresAt)
        loginClaims = session.loginClaims.isEmpty ? nil : session.loginClaims
        self.clients = clients.isEmpty ? nil : clients.map { Part(clientID: $0.id, issuer: $0.issuer) }
    }

    var session: BrowserSession {
        var session = BrowserSession(
            id: id, digest: digest.bytes, subject: subject, authenticatedAt: authenticatedAt, acr: acr,
            amr: amr ?? [], browserState: browserState, userAgent: userAgent, ipAddress: ipAddress,
            lastUsedAt: lastUsedAt, expiresAt: expiresAt)
        session.loginClaims = loginClaims ?? [:]
        return session
    }
}
