import Essentials
import JOSE
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// How often a token may be handed on. Each time the claim `act` becomes one level deeper.
    private static let longestChain = 10

    /// Whom a token of an exchange stands for.
    private struct Party {
        let subject: String
        /// Nil for an ID token, which has none.
        var scope: ScopeList?
        /// `act`
        var actor: JSONValue?
    }

    /// The token exchange: a token for another audience, with less scope, or for somebody who acts for the user.
    ///
    /// Source: RFC 8693 §2. Subject and actor are told by access tokens of this server or by its ID tokens for the caller.
    func exchange(_ call: ClientCall) throws -> PreparedTokens {
        guard !call.client.isPublic else {
            throw TokenRefusal.publicClient(call.client.id, wanted: "the token exchange")
        }
        let requested = call.form["requested_token_type"] ?? TokenType.accessToken
        guard TokenType.issued.contains(requested) else {
            throw ExchangeRefusal.requestedTypeUnsupported(requested)
        }
        let audience = try audience(of: call)
        let subject = try party(.subject, call)
        let actor = try chain(subject, try optionalActor(call))
        let scope = try database.read { db in
            try self.scope(of: call, within: subject.scope, in: db)
        }
        let grant = try ruled(
            Grant(
                id: uuid(for: "grant"), clientID: call.client.id, subject: subject.subject, scope: scope,
                issuer: try issuer(call.request), type: GrantType.tokenExchange, audience: audience,
                actor: actor,
                createdAt: call.now), call)
        return try world.change { turn in
            try grants.insert(grant, in: turn.db)
            return try prepareExchanged(grant, requested, call, in: turn.db)
        }
    }

    /// What the caller may have of the subject token's scope; all of it, when it does not say.
    private func scope(
        of call: ClientCall, within granted: ScopeList?, in db: Connection
    ) throws -> ScopeList {
        guard let granted else { return try scope(of: call, in: db) }
        guard let text = call.form["scope"] else {
            let assigned = scopes.assigned(to: call.client)
            return ScopeList(granted.names.filter(assigned.contains))
        }
        let tooMuch = ScopeList(text).missing(in: granted)
        guard tooMuch.isEmpty else { throw ExchangeRefusal.scopeWidened(tooMuch, granted: granted) }
        return try scope(of: call, in: db)
    }

    /// `act`: the actor, and inside of it who acted before. Source: RFC 8693 §4.1.
    private func chain(_ subject: Party, _ actor: Party?) throws -> JSONValue? {
        guard let actor else { return subject.actor }
        var (length, link) = (1, subject.actor)
        while let inner = link {
            (length, link) = (length + 1, inner["act"])
        }
        guard length <= Self.longestChain else { throw ExchangeRefusal.chainTooLong(Self.longestChain) }
        var members: [String: JSONValue] = ["sub": .string(actor.subject)]
        members["act"] = subject.actor
        return .object(members)
    }

    private func optionalActor(_ call: ClientCall) throws -> Party? {
        if call.form["actor_token"] != nil { return try party(.actor, call) }
        guard call.form["actor_token_type"] == nil else { throw ExchangeRefusal.typeWithoutActor }
        return nil
    }

    private func party(_ role: ExchangeRole, _ call: ClientCall) throws -> Party {
        let text = try call.form.require("\(role.rawValue)_token", for: "the token exchange")
        guard let type = call.form["\(role.rawValue)_token_type"] else {
            throw ExchangeRefusal.typeMissing(role)
        }
        switch type {
        case TokenType.accessToken, TokenType.jwt: return try party(accessToken: text, role, call)
        case TokenType.idToken: return try party(idToken: text, role, call)
        default: throw ExchangeRefusal.typeUnsupported(role, type)
        }
    }

    private func party(accessToken text: String, _ role: ExchangeRole, _ call: ClientCall) throws -> Party {
        guard let token = try accessToken(text) else {
            throw ExchangeRefusal.tokenUnknown(role, reason: try whereabouts(of: text, call.request))
        }
        if let end = token.end { throw ExchangeRefusal.tokenEnded(role, token, end) }
        guard call.now < token.expiresAt else {
            throw ExchangeRefusal.tokenExpired(role, token, now: call.now)
        }
        let grant = try database.read { db in try grants.find(token.grantID, in: db) }
        return Party(subject: token.subject ?? token.clientID, scope: token.scope, actor: grant?.actor)
    }

    private func party(idToken text: String, _ role: ExchangeRole, _ call: ClientCall) throws -> Party {
        do {
            let keys = try publishedKeys()
            let verified = try JWT.verify(text, keys: keys, at: call.now)
            let claims = try JSONValue(parsing: verified.payload)
            guard let subject = claims["sub"]?.string, Self.audience(of: claims).contains(call.client.id),
                verified.header.type == IDToken.type, claims["exp"]?.integer != nil
            else {
                throw ExchangeRefusal.tokenUnknown(
                    role, reason: "it is not an ID token whose audience is the client “\(call.client.id)”")
            }
            try checkIssuer(claims["iss"]?.string, of: subject, role, call)
            return Party(subject: subject)
        } catch let error as JOSEError {
            throw ExchangeRefusal.tokenUnknown(role, reason: error.description)
        }
    }

    /// Source: OpenID Connect Core 1.0 §3.1.3.7.
    private func checkIssuer(
        _ found: String?, of subject: String, _ role: ExchangeRole, _ call: ClientCall
    ) throws {
        let expected = try issuer(call.request)
        let own = Grant.Selection(clientID: call.client.id, subject: subject)
        guard try isOwnIssuer(found, of: own, expected: expected) else {
            throw ExchangeRefusal.issuerForeign(role, expected: expected, found: found)
        }
    }

    private static func audience(of claims: JSONValue) -> [String] {
        claims["aud"]?.strings ?? (claims["aud"]?.string).map { [$0] } ?? []
    }

    private func prepareExchanged(
        _ grant: Grant, _ requested: String, _ call: ClientCall, in db: Connection
    ) throws -> PreparedTokens {
        var client = call.client
        if requested == TokenType.jwt { client.metadata.accessTokenFormat = .jwt }
        var issue = TokenIssue(
            client: client, grant: grant, parameters: call.form.form, isRefresh: false, now: call.now)
        issue.proofKey = call.proofKey
        var prepared = try prepare(issue, scope: grant.scope, in: db)
        try noteTokens(of: grant, call, in: db)
        prepared.issuedTokenType = requested
        return prepared
    }
}
