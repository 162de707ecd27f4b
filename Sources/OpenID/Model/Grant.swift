package import Essentials
package import SQLite

/// What a user, or a client for itself, was granted: the root from which a family of tokens grows.
///
/// Ended, it takes all of them with it.
package struct Grant: Sendable, Equatable {
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
}

/// When and why something stopped being good before its time.
package struct TokenEnd: Sendable, Equatable {
    package let at: Date
    package let reason: Reason

    package init(at: Date, reason: Reason) { (self.at, self.reason) = (at, reason) }

    package enum Reason: String, Sendable, Codable, CaseIterable {
        /// At the revocation endpoint, or by the control or management API.
        case revoked
        /// The user logged out.
        case loggedOut = "logged_out"
        /// Its code or refresh token was used twice.
        case reused
        /// Another login of the same user and client took its place.
        case superseded
        /// Its client is gone.
        case clientRemoved = "client_removed"
        /// The user was disconnected from the client.
        case userRemoved = "user_removed"
        /// Too many wrong refresh tokens.
        case locked

        /// For a sentence: «it was …».
        package var words: String {
            switch self {
            case .revoked: "revoked"
            case .loggedOut: "ended by a logout"
            case .reused: "ended, because its code or refresh token was used twice"
            case .superseded: "replaced by a later login"
            case .clientRemoved: "ended with its client"
            case .userRemoved: "ended when the user was disconnected"
            case .locked: "ended after too many wrong attempts"
            }
        }
    }
}

extension Grant: RowDecodable {
    package init(row: Row) throws {
        self.init(
            id: try row.text("id"), clientID: try row.text("client_id"),
            subject: try row.optionalText("subject"), scope: ScopeList(try row.text("scope")),
            issuer: try row.text("issuer"), type: try row.text("type"),
            sessionID: try row.optionalText("session_id"),
            authenticatedAt: try row.optionalDate("authenticated_at"), acr: try row.optionalText("acr"),
            amr: ScopeList(try row.text("amr")).names, nonce: try row.optionalText("nonce"),
            claims: try row.optionalJSON("claims"), audience: ScopeList(try row.text("audience")).names,
            actor: try row.optionalJSON("actor"), context: try row.optionalText("context"),
            createdAt: try row.date("created_at"))
        ownParameters = try row.optionalJSON("own_parameters")?.object?.compactMapValues(\.strings) ?? [:]
        tokenClaims = try row.optionalJSON("token_claims")?.object ?? [:]
        loginClaims = try row.optionalJSON("login_claims")?.object ?? [:]
        end = try TokenEnd(row: row)
    }

    /// ``ownParameters`` as JSON; nil without any.
    var ownParametersJSON: JSONValue? {
        ownParameters.isEmpty ? nil : .object(ownParameters.mapValues { JSONValue($0) })
    }

    /// ``tokenClaims`` as JSON; nil without any.
    var tokenClaimsJSON: JSONValue? { tokenClaims.isEmpty ? nil : .object(tokenClaims) }

    /// The same of ``loginClaims``.
    var loginClaimsJSON: JSONValue? { loginClaims.isEmpty ? nil : .object(loginClaims) }

    /// The user as this login has it: whatever is told of the user is told of this one.
    func overlay(_ user: User?) -> User? {
        guard var user, !loginClaims.isEmpty else { return user }
        user.claims.merge(loginClaims) { _, typed in typed }
        return user
    }
}

extension TokenEnd {
    /// From the columns `ended_at` and `ended_because`; nil for what has not ended.
    init?(row: Row) throws {
        guard let at = try row.optionalDate("ended_at") else { return nil }
        self.init(
            at: at, reason: try row.optionalText("ended_because").flatMap(Reason.init(rawValue:)) ?? .revoked)
    }
}

extension Row {
    func optionalJSON(_ column: String) throws -> JSONValue? {
        try optionalText(column).map { try JSONValue(parsing: Array($0.utf8)) }
    }
}
