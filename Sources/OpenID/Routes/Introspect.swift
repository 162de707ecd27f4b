package import Essentials
import HTTP
import PlatformKit
package import SQLite

extension AuthorizationServer {
    /// A token that is alive, as introspection shows it.
    package struct Introspection: Sendable {
        package let clientID: String
        let grantID: String
        package let audience: [String]
        /// Nil for a client's own token.
        package let subject: String?
        /// Members of the answer, `active` among them. Source: RFC 7662 §2.2.
        package var members: [String: JSONValue]
        /// The access token, when it is one that may be used so many times; this use is not counted yet.
        package var limited: AccessToken?
    }

    /// Platforms call those clients so that stand for APIs: they may introspect every token, other clients only their own and
    /// those whose audience they are.
    package static let apiKind = "api"

    /// `POST /introspect`: what a token is good for.
    ///
    /// - Request: a form with `token`; the caller proves who it is, with credentials.
    /// - Response: `200 {"active": false}`, or `200 {"active": true, "scope": …, "client_id": …, …}`.
    /// - Errors: ``TokenRefusal``.
    /// - Source: RFC 7662 §2.
    func introspect(_ request: Request) throws -> Response {
        let call = try clientCall(request)
        guard !call.client.isPublic else {
            policy.note(AuditEvent(.introspectionFailed, of: call.client, request))
            throw IntrospectionRefusal.publicClient(call.client.id)
        }
        let text = try call.form.require("token", for: "introspection")
        let digest = try knownDigest(text)
        let found = try world.change { turn in
            let found = try introspection(of: text, digest, at: call.now, in: turn.db)
            if let found, found.isVisible(to: call.client) {
                if let limited = found.limited { try accessTokens.noteUse(of: limited, in: turn.db) }
                let event = AuditEvent(
                    .tokenIntrospected, of: call.client, subject: found.subject, request)
                try policy.note(event, in: turn.db)
            }
            return found
        }
        (found?.subject).map(services.journal.concern)
        if let found { services.journal.concern(Subject(.grant, found.grantID)) }
        guard let found, found.isVisible(to: call.client) else {
            if let found {
                note(hidden: found, from: call.client)
            } else {
                services.journal.explain(try inactivity(of: text, digest, call))
            }
            return .oauth(["active": false])
        }
        return .oauth(.object(found.members))
    }

    /// What a token is good for; nil for one that is unknown, expired, ended, traded or worn out. `token_type_hint` is not needed:
    /// every kind has its own table. It counts as a use of an access token whose uses are limited, and
    /// ``Introspection/limited`` is the token after it.
    package func introspection(of text: String) throws -> Introspection? {
        let digest = try knownDigest(text)
        return try world.change { turn in
            var found = try introspection(of: text, digest, at: now, in: turn.db)
            if let limited = found?.limited {
                try accessTokens.noteUse(of: limited, in: turn.db)
                found?.limited?.uses.increment()
            }
            return found
        }
    }

    /// Whether an access token was used as often as it may be.
    package func isWornOut(_ token: AccessToken, in db: Connection) throws -> Bool {
        guard token.uses > 0 else { return false }
        let limit = try policy.usageLimit(of: token.scope, in: db)
        return limit > 0 && token.uses >= limit
    }

    /// - Parameter accessDigest: where an access token with this text would stand; nil for a JWT that is not this server's.
    private func introspection(
        of text: String, _ accessDigest: [UInt8]?, at now: Date, in db: Connection
    ) throws -> Introspection? {
        if let accessDigest, let token = try accessTokens.find(accessDigest, in: db) {
            guard token.isAlive(at: now), fault(of: text, token, at: now) == nil else { return nil }
            if try isWornOut(token, in: db) {
                noteWornOut(token)
                return nil
            }
            return try introspection(of: token, in: db)
        }
        guard let token = try refreshTokens.find(Handle.digest(text), in: db), token.isAlive(at: now),
            let grant = try grants.find(token.grantID, in: db), grant.end == nil
        else { return nil }
        return try introspection(of: token, grant, in: db)
    }

    private func introspection(of token: AccessToken, in db: Connection) throws -> Introspection {
        let grant = token.subject == nil ? nil : try grants.find(token.grantID, in: db)
        let audience = token.audience.isEmpty ? [token.issuer] : token.audience
        var members = try members(
            token.clientID, token.scope, token.subject, token.issuer, token.issuedAt, token.expiresAt, in: db)
        members["token_type"] = token.proofKey == nil ? "Bearer" : "DPoP"
        // RFC 9449 §6.2
        members["cnf"] = token.proofKey.map { ["jkt": .string($0)] }
        members["aud"] = .audience(audience)
        members["jti"] = .string(token.format == .jwt ? "AT." + token.id : token.id)
        if let grant {
            members["act"] = grant.actor
            members["acr"] = grant.acr.map(JSONValue.string)
            members["amr"] = grant.amr.isEmpty ? nil : JSONValue(grant.amr)
        }
        members.merge(token.claims) { own, _ in own }
        let isLimited = try policy.usageLimit(of: token.scope, in: db) > 0
        return Introspection(
            clientID: token.clientID, grantID: token.grantID, audience: token.audience,
            subject: token.subject, members: members,
            limited: isLimited ? token : nil)
    }

    private func introspection(
        of token: RefreshToken, _ grant: Grant, in db: Connection
    ) throws -> Introspection {
        var members = try members(
            token.clientID, token.scope, grant.subject, grant.issuer, token.issuedAt, token.expiresAt, in: db)
        members["jti"] = .string(token.id)
        return Introspection(
            clientID: token.clientID, grantID: grant.id, audience: [], subject: grant.subject,
            members: members)
    }

    private func members(
        _ clientID: String, _ scope: ScopeList, _ subject: String?, _ issuer: String, _ issuedAt: Date,
        _ expiresAt: Date, in db: Connection
    ) throws -> [String: JSONValue] {
        let issued = JSONValue.integer(issuedAt.unixSeconds)
        var members: [String: JSONValue] = [
            "active": true, "client_id": .string(clientID), "scope": .string(scope.text),
            "sub": .string(subject ?? clientID), "iss": .string(issuer), "iat": issued, "nbf": issued,
            "exp": .integer(expiresAt.unixSeconds),
        ]
        if let subject, let name = try users.username(of: subject, in: db) {
            members["username"] = .string(name)
        }
        return members
    }

    /// Nil for a JWT that is not this server's.
    func knownDigest(_ text: String) throws -> [UInt8]? {
        do {
            return try accessDigest(text)
        } catch is ForeignToken {
            return nil
        }
    }

    private func noteWornOut(_ token: AccessToken) {
        services.journal.event(
            "token worn out", about: token.subject,
            "The access token of \(token.owner) is alive, but was used \(token.uses.counted("time")), as often as its scope "
                + "“\(token.scope.text)” allows; it is reported as inactive.")
    }

    /// Why a token is told to be not active: a sentence.
    private func inactivity(of text: String, _ digest: [UInt8]?, _ call: ClientCall) throws -> String {
        let token = try database.read { db in try digest.flatMap { try accessTokens.find($0, in: db) } }
        if token == nil,
            let refresh = try database.read({ try refreshTokens.find(Handle.digest(text), in: $0) })
        {
            return
                "The refresh token of the client “\(refresh.clientID)” is reported as inactive: it expired, was traded for the next one, or "
                + "its login ended."
        }
        guard let token else {
            return "The token is reported as inactive: \(try whereabouts(of: text, call.request))."
        }
        if token.isAlive(at: call.now), let fault = fault(of: text, token, at: call.now) {
            return "The token is reported as inactive: it is signed by a key of ours, but \(fault)."
        }
        let refusal: BearerRefusal =
            if let end = token.end { .ended(token, end, now: call.now) } else if call.now < token.expiresAt {
                .wornOut(token)
            } else { .expired(token, now: call.now) }
        return "The token is reported as inactive. " + refusal.explanation
    }

    /// A developer who sees `active: false` for a good token needs to know why.
    private func note(hidden found: Introspection, from client: Client) {
        services.journal.event(
            "introspection hidden", about: found.subject,
            "The token is active and was issued to the client “\(found.clientID)”; “\(client.id)” is told that it is not "
                + "active, because it is neither that client nor an API nor the token's audience (RFC 7662 §2.2)."
        )
    }
}

extension AuthorizationServer.Introspection {
    fileprivate func isVisible(to client: Client) -> Bool {
        clientID == client.id || client.kind == AuthorizationServer.apiKind || audience.contains(client.id)
    }
}
