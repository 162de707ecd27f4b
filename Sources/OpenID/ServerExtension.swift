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

    /// A refresh token was refused; nil for what the standard says of it. Nothing is written here.
    func consequence(of failure: RefreshFailure, in db: Connection) throws -> RefreshConsequence?

    /// A code or tokens would be issued next: the place to ask other servers. Outside of any transaction.
    ///
    /// - Throws: a refusal, such as ``IssueRefusal``; nothing was written or spent yet.
    func review(_ proposal: IssueProposal) throws -> IssueChanges

    /// Tokens of a user's grant are about to be made.
    ///
    /// - Throws: a refusal, which undoes everything, the use of the code included.
    func terms(of issue: TokenIssue, in db: Connection) throws -> IssueTerms

    /// The user of a grant, where users are the platform's own; nil for one of this server's.
    func user(of grant: Grant, in db: Connection) throws -> User?

    /// Claims of the platform's own for a JWT that is an access token with this scope.
    func claims(ofAccessTokenFor scope: ScopeList, in db: Connection) throws -> [String: JSONValue]

    /// How often an access token with this scope may be used; 0 for ever. A use is an introspection.
    func usageLimit(of scope: ScopeList, in db: Connection) throws -> Int

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
    package func consequence(of _: RefreshFailure, in _: Connection) throws -> RefreshConsequence? { nil }
    package func review(_: IssueProposal) throws -> IssueChanges { IssueChanges() }
    package func terms(of _: TokenIssue, in _: Connection) throws -> IssueTerms { IssueTerms() }
    package func user(of _: Grant, in _: Connection) throws -> User? { nil }
    package func usageLimit(of _: ScopeList, in _: Connection) throws -> Int { 0 }
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
