import Crypto
package import Essentials
package import HTTP
import PlatformKit
package import SQLite

extension AuthorizationServer {
    /// A login that just happened.
    package struct Login: Sendable {
        package let session: BrowserSession
        /// `Set-Cookie` lines.
        package let cookies: [String]
    }

    /// Logs a user in: the same session again for the same user, a new one for another, whose session in this browser ends.
    ///
    /// - Parameters:
    ///   - amr: how. Source: RFC 8176 §2.
    ///   - interaction: the conversation that asked for it.
    ///   - claims: typed at the login, over those of the user.
    package func logIn(
        _ user: User, amr: [String], for interaction: [UInt8]?, claims: [String: JSONValue] = [:],
        _ request: Request
    ) throws -> Login {
        let cookie = Hex.encode(bytes(32, for: "session"))
        var fresh = try freshSession(user, cookie, amr, request)
        fresh.loginClaims = claims
        let outcome = try world.change { turn -> (session: BrowserSession, notices: [LogoutNotice]) in
            let before = try self.session(request, in: turn.db)
            var (session, notices) = (fresh, [LogoutNotice]())
            if let before, before.subject == user.subject {
                // Another cookie, another time, the same `sid`.
                (session.id, session.browserState) = (before.id, before.browserState)
                session.clients = before.clients
                try turn.update(session)
            } else {
                if let before { notices = try end(before, in: turn.db).backChannel }
                try sessions.begin(session, at: now, in: turn.db)
            }
            if let interaction {
                try interactions.change(interaction, in: turn.db) {
                    ($0.loginSession, $0.consentSession) = (session.id, nil)
                }
            }
            return (session, notices)
        }
        try send(outcome.notices)
        services.journal.event(
            "logged in", about: user.subject,
            "\(user.displayName) logged in at the pages of \(profile.title).")
        let seconds = fresh.expiresAt.seconds(since: fresh.authenticatedAt)
        let jar = cookies(request)
        return Login(
            session: outcome.session,
            cookies: [
                jar.setSession(cookie, seconds: seconds),
                jar.setState(outcome.session.browserState, seconds: seconds),
            ])
    }

    private func freshSession(
        _ user: User, _ cookie: String, _ amr: [String], _ request: Request
    ) throws -> BrowserSession {
        let settings = try database.read { db in try browserSettings(in: db) }
        let now = now
        return BrowserSession(
            id: uuid(for: "session.id"), digest: Handle.digest(cookie), subject: user.subject,
            authenticatedAt: now, acr: settings.reachedACRs.first, amr: amr,
            browserState: Hex.encode(bytes(16, for: "session.state")),
            userAgent: request.headers["User-Agent"] ?? "", ipAddress: request.peer.address, lastUsedAt: now,
            expiresAt: now.addingTimeInterval(Double(settings.sessionSeconds)))
    }
}

// For a platform that finds out by itself who the user is.

extension AuthorizationServer {
    /// Reads and checks an authentication request for a code. Source: OpenID Connect Core 1.0 §3.1.2.1.
    ///
    /// - Parameter form: `client_id`, `redirect_uri`, `response_type=code`, `response_mode`, `scope`, `state`, `nonce` and others; 64 KiB at most.
    /// - Throws: a refusal that ``response(for:)`` answers: with a page while client or redirect URI are wrong, then at that URI.
    package func readAuthorization(_ form: Form, at request: Request) throws -> CheckedAuthorization {
        let parameters = AuthorizationParameters(form)
        let client = try client(parameters)
        let asked = try readAuthorization(
            expanded(parameters, of: client, at: request), of: client, at: request)
        if !asked.scope.contains(ScopeList.openID) {
            throw AuthorizationRefusal(.openIDMissing(asked.responseType), asked.target)
        }
        // A platform of this kind has no sessions of its own: whoever must not be asked cannot be known.
        if asked.isSilent { throw AuthorizationRefusal(.loginRequired(.noSession), asked.target) }
        return CheckedAuthorization(asked)
    }

    /// Makes an authorization code for a user who was found out, inside the caller's transaction.
    ///
    /// - Parameters:
    ///   - amr: how. Source: RFC 8176 §2.
    ///   - context: a note of the platform's own at the grant.
    /// - Returns: nil when the client is gone.
    package func makeCode(
        for checked: CheckedAuthorization, subject: String, amr: [String], context: String?,
        in db: Connection
    ) throws -> String? {
        guard let client = try clients.find(checked.clientID, in: db) else { return nil }
        let grant = Grant(
            id: uuid(for: "grant"), clientID: client.id, subject: subject,
            scope: ScopeList(checked.scope), issuer: checked.issuer, type: GrantType.authorizationCode,
            authenticatedAt: now, amr: amr, nonce: checked.nonce, claims: checked.claims, context: context,
            createdAt: now)
        try grants.insert(grant, in: db)
        let code = Base64URL.encode(bytes(Handle.byteCount, for: "code"))
        var made = AuthorizationCode(
            digest: Handle.digest(code), grantID: grant.id, clientID: client.id,
            redirectURI: checked.namesRedirectURI ? checked.redirectURI : nil,
            challenge: checked.challenge, challengeMethod: checked.challengeMethod, issuedAt: now,
            expiresAt: now + Double(try settings(in: db).codeSeconds(of: client)))
        made.proofKey = checked.proofKey
        try codes.insert(made, in: db)
        for subject in made.subjects { services.journal.concern(subject) }
        if db.lastInsertID.isMultiple(of: Token.tidyInterval) { try grants.tidy(in: db) }
        return code
    }
}
