package import Essentials
package import PlatformKit
package import SQLite

/// What a user, or a client for itself, was granted: the root from which a family of tokens grows.
///
/// Ended, it takes all of them with it.
package struct Grant: Traced, Equatable {
    package static let table = Table("openid_grant", order: "created_at, rowid")

    /// UUID
    package var id: String
    package var clientID: String
    /// `sub` of the user; nil when the client acts for itself.
    package var subject: String?
    package var scope: ScopeList
    /// The issuer under which the flow began: what all of its tokens say.
    package var issuer: String
    /// `grant_type` that began it.
    package var type: String
    /// `sid` of the browser session, where there was one.
    package var sessionID: String?
    /// When the user really logged in.
    package var authenticatedAt: Date?
    package var acr: String?
    package var amr: [String]
    package var nonce: String?
    /// The parameter `claims`, as it came. Source: OpenID Connect Core 1.0 §5.5.
    package var claims: JSONValue?
    /// Audience of the access tokens that was asked for; empty for the client's own.
    package var audience: [String]
    /// `act` of a delegation. Source: RFC 8693 §4.1.
    package var actor: JSONValue?
    /// A note of the platform that mounts the server, such as a profile.
    package var context: String?
    /// Authorization parameters of the platform's own, without ``ServerProfile/ownParameterPrefix``.
    package var ownParameters: [String: [String]] = [:]
    /// Claims that its access tokens get from others.
    package var tokenClaims: [String: JSONValue] = [:]
    /// Claims that were typed at the login, over those of the user.
    package var loginClaims: [String: JSONValue] = [:]
    package var createdAt: Date
    package var end: TokenEnd?

    package enum CodingKeys: String, CodingKey {
        case id
        case clientID = "client_id"
        case subject = "sub"
        case scope, issuer, type
        case sessionID = "sid"
        case authenticatedAt = "authenticated_at"
        case acr, amr, nonce, claims
        case audience = "aud"
        case actor = "act"
        case context
        case ownParameters = "own_parameters"
        case tokenClaims = "token_claims"
        case loginClaims = "login_claims"
        case createdAt = "created_at"
        case end = "ended"
    }

    package init(
        id: String, clientID: String, subject: String?, scope: ScopeList, issuer: String, type: String,
        sessionID: String? = nil, authenticatedAt: Date? = nil, acr: String? = nil, amr: [String] = [],
        nonce: String? = nil, claims: JSONValue? = nil, audience: [String] = [], actor: JSONValue? = nil,
        context: String? = nil, createdAt: Date
    ) {
        (self.id, self.clientID, self.subject, self.scope) = (id, clientID, subject, scope)
        (self.issuer, self.type, self.sessionID) = (issuer, type, sessionID)
        (self.authenticatedAt, self.acr, self.amr, self.nonce) = (authenticatedAt, acr, amr, nonce)
        (self.claims, self.audience, self.actor) = (claims, audience, actor)
        (self.context, self.createdAt) = (context, createdAt)
    }

    /// By hand, because introspection reads it, and most of its lists and objects are empty; see ``AccessToken/init(row:)``.
    package init(row: Row) throws {
        self.init(
            id: try row.text("id"), clientID: try row.text("client_id"),
            subject: try row.optionalText("sub"), scope: ScopeList(try row.text("scope")),
            issuer: try row.text("issuer"), type: try row.text("type"),
            sessionID: try row.optionalText("sid"),
            authenticatedAt: try row.optionalDate("authenticated_at"), acr: try row.optionalText("acr"),
            amr: try row.names("amr"), nonce: try row.optionalText("nonce"), claims: try row.json("claims"),
            audience: try row.names("aud"), actor: try row.json("act"),
            context: try row.optionalText("context"), createdAt: try row.date("created_at"))
        ownParameters = try row.members("own_parameters").compactMapValues(\.strings)
        tokenClaims = try row.members("token_claims")
        loginClaims = try row.members("login_claims")
        end = try row.end()
    }
}

extension Grant {
    package var subjects: [Subject] { [Subject(.grant, id)] }
}

extension Grant {
    /// The user as this login has it: whatever is told of the user is told of this one.
    func overlay(_ user: User?) -> User? {
        guard var user, !loginClaims.isEmpty else { return user }
        user.claims.merge(loginClaims) { _, typed in typed }
        return user
    }

    /// Which grants are meant: those that fit every part that is given.
    package struct Selection: Sendable {
        package var grantID: String?
        package var clientID: String?
        package var subject: String?
        package var sessionID: String?
        package var context: String?

        package init(
            grantID: String? = nil, clientID: String? = nil, subject: String? = nil, sessionID: String? = nil,
            context: String? = nil
        ) {
            (self.grantID, self.clientID, self.subject) = (grantID, clientID, subject)
            (self.sessionID, self.context) = (sessionID, context)
        }

        fileprivate var condition: SQL? {
            let parts: [SQL] = [
                grantID.map { "id = \($0)" }, clientID.map { "client_id = \($0)" },
                subject.map { "sub = \($0)" }, sessionID.map { "sid = \($0)" },
                context.map { "context = \($0)" },
            ].compactMap { $0 }
            guard let first = parts.first else { return nil }
            return parts.dropFirst().reduce(first) { "\(fragment: $0) AND \(fragment: $1)" }
        }
    }
}

extension ServerRecords<Grant> {
    package func find(_ id: String, in db: Connection) throws -> Grant? {
        try first(where: "id = \(id)", in: db)
    }

    /// Oldest first; also those that have ended.
    package func all(_ selection: Grant.Selection, in db: Connection) throws -> [Grant] {
        try all(where: selection.condition, in: db)
    }

    /// Ends the grants that fit, with their codes, access tokens and refresh tokens. What has ended before stays as it is.
    package func end(
        _ selection: Grant.Selection, _ reason: TokenEnd.Reason, at now: Date, in db: Connection
    ) throws {
        let ended = try TokenEnd(at: now, reason: reason).json
        let meant = own(selection.condition)
        let ofThem: SQL = "grant_id IN (SELECT id FROM openid_grant WHERE \(fragment: meant))"
        try db.delete(AuthorizationCode.self, where: "spent_at IS NULL AND \(fragment: ofThem)")
        try db.execute(
            "UPDATE openid_access_token SET ended = \(ended) WHERE ended IS NULL AND \(fragment: ofThem)")
        try db.execute(
            """
            UPDATE openid_refresh_token SET ended = \(ended), answer = NULL
            WHERE ended IS NULL AND \(fragment: ofThem)
            """)
        try db.execute("UPDATE openid_grant SET ended = \(ended) WHERE ended IS NULL AND \(fragment: meant)")
    }

    /// How many grants a world remembers of all its servers; beyond that the oldest are forgotten, alive or not.
    private static var limit: Int { 20_000 }

    /// Forgets the oldest, with their codes and tokens.
    func tidy(in db: Connection) throws {
        try db.delete(Grant.self, where: "rowid <= (SELECT max(rowid) FROM openid_grant) - \(Self.limit)")
    }
}
