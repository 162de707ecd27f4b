package import Essentials
package import HTTP
package import SQLite

/// Where products differ from each other inside the standard's flows. Everything has a default that adds nothing.
///
/// What gets a connection runs inside the transaction that issues or refuses; it must use that connection alone.
package protocol ServerExtension: Sendable {
    /// Whether this is the secret of a client of which only a hash is kept; nil for a client that has no secret at all.
    ///
    /// Asked for clients without ``Client/secret`` alone.
    func accepts(secret: String, of client: Client) throws -> Bool?

    /// Whether this refresh request may use a token of `grant`; false counts as a token that is not known.
    func accepts(_ grant: Grant, refreshedWith parameters: Form, by client: Client) -> Bool

    /// A refresh token was refused. What is written here stays, and the error returned is thrown in the place of the standard's.
    func refused(_ failure: RefreshFailure, in db: Connection) throws -> (any Error)?

    /// Tokens of a user's grant are about to be made.
    ///
    /// - Throws: a refusal, which undoes everything, the use of the code included.
    func terms(of issue: TokenIssue, in db: Connection) throws -> IssueTerms

    /// Claims of the platform's own for a JWT that is an access token with this scope.
    func claims(ofAccessTokenFor scope: ScopeList, in db: Connection) throws -> [String: JSONValue]

    /// A client registers itself. What is returned is stored in its place, with what is written here.
    func admit(_ client: Client, in db: Connection) throws -> Client

    /// A client that registered itself leaves; what hangs on it is the platform's to remove.
    func leave(_ client: Client, in db: Connection) throws

    /// What a request is refused with that comes from a client which is not there; nil for the standard's `invalid_client`.
    /// Outside of any transaction.
    func refusal(ofUnknownClient id: String) throws -> (any Error)?

    /// Something happened that an audit wants to know. Outside of any transaction.
    func note(_ event: AuditEvent)

    /// The same, in the transaction in which it happened.
    func note(_ event: AuditEvent, in db: Connection) throws
}

extension ServerExtension {
    package func accepts(secret _: String, of _: Client) throws -> Bool? { nil }
    package func accepts(_: Grant, refreshedWith _: Form, by _: Client) -> Bool { true }
    package func refused(_: RefreshFailure, in _: Connection) throws -> (any Error)? { nil }
    package func terms(of _: TokenIssue, in _: Connection) throws -> IssueTerms { IssueTerms() }
    package func claims(ofAccessTokenFor _: ScopeList, in _: Connection) throws -> [String: JSONValue] { [:] }
    package func admit(_ client: Client, in _: Connection) throws -> Client { client }
    package func leave(_: Client, in _: Connection) throws {}
    package func refusal(ofUnknownClient _: String) throws -> (any Error)? { nil }
    package func note(_: AuditEvent) {}
    package func note(_: AuditEvent, in _: Connection) throws {}
}

/// Nothing beyond the standard.
package struct PlainExtension: ServerExtension {
    package init() {}
}

/// Tokens that are about to be made.
package struct TokenIssue: Sendable {
    package let client: Client
    package let grant: Grant
    /// Of the token request.
    package let parameters: Form
    /// Whether a refresh token was traded; otherwise these are the grant's first tokens.
    package let isRefresh: Bool
    package let now: Date

    package init(client: Client, grant: Grant, parameters: Form, isRefresh: Bool, now: Date) {
        (self.client, self.grant, self.parameters) = (client, grant, parameters)
        (self.isRefresh, self.now) = (isRefresh, now)
    }
}

/// What an extension adds to an issue.
package struct IssueTerms: Sendable {
    /// Members beside those of the standard's token response.
    package var members: [String: JSONValue] = [:]
    /// A note that the grant shall carry from now on.
    package var context: String?
    /// Whether there is a refresh token, whatever the client's metadata say.
    package var getsRefreshToken: Bool?

    package init(
        members: [String: JSONValue] = [:], context: String? = nil, getsRefreshToken: Bool? = nil
    ) {
        (self.members, self.context, self.getsRefreshToken) = (members, context, getsRefreshToken)
    }
}

/// A refresh token that was not accepted.
package struct RefreshFailure: Sendable {
    package enum Reason: Sendable, Equatable {
        case unknown
        /// It belongs to another client.
        case foreign(clientID: String)
        /// ``ServerExtension/accepts(_:refreshedWith:by:)`` said no.
        case notAccepted
        case expired(at: Date)
        case ended(TokenEnd)
        /// Already used, and not within the grace window. Its family ends.
        case reused(at: Date)
    }

    package let reason: Reason
    package let client: Client
    /// Of the token that came, where it is known.
    package let grant: Grant?
    package let parameters: Form
    package let now: Date

    package init(reason: Reason, client: Client, grant: Grant?, parameters: Form, now: Date) {
        (self.reason, self.client, self.grant) = (reason, client, grant)
        (self.parameters, self.now) = (parameters, now)
    }
}

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
    package let subject: String?
    /// Numeric address of the caller.
    package let address: String
    package let userAgent: String?

    package init(_ kind: Kind, clientID: String?, subject: String? = nil, _ request: Request) {
        (self.kind, self.clientID, self.subject) = (kind, clientID, subject)
        (address, userAgent) = (request.peer.address, request.headers["User-Agent"])
    }
}
