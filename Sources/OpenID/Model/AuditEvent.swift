package import HTTP

/// What an audit log wants to know, in the standards' words.
package struct AuditEvent: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case codeIssued, authorizationInvalid, redirectURIInvalid, scopeInvalid, clientInvalid
        case loginRequired, consentRequired
        case grantInvalid, verifierInvalid, refreshTokenInvalid, refreshTokenExpired
        case accessTokenCreated, accessTokenRefreshed, accessTokenRevoked, refreshTokenRevoked
        case tokenIntrospected, introspectionFailed
    }

    package let kind: Kind
    package let clientID: String?
    /// The ``Client/kind`` of a client that is there; nil of one that was only named.
    package let clientKind: String?
    package let subject: String?
    /// Numeric address of the caller.
    package let address: String
    package let userAgent: String?

    package init(_ kind: Kind, clientID: String?, subject: String? = nil, _ request: Request) {
        (self.kind, self.clientID, self.subject) = (kind, clientID, subject)
        clientKind = nil
        (address, userAgent) = (request.peer.address, request.headers["User-Agent"])
    }

    package init(_ kind: Kind, of client: Client, subject: String? = nil, _ request: Request) {
        (self.kind, clientID, clientKind, self.subject) = (kind, client.id, client.kind, subject)
        (address, userAgent) = (request.peer.address, request.headers["User-Agent"])
    }
}
