import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// What was written for a request that is granted.
    private struct Granted: Sendable {
        var code: String?
        var tokens: PreparedTokens?
        /// What an ID token without an access token says of the user.
        var claims: [String: JSONValue] = [:]
    }

    /// Asks others, grants what is left in one transaction, and answers.
    ///
    /// - Throws: ``AuthorizationRefusal`` when others refuse, or another tab was faster.
    func grant(
        _ started: StartedAuthorization, _ session: BrowserSession, _ settings: BrowserSettings,
        _ request: Request
    ) throws -> Response {
        let asked = started.asked
        let grant = try ruled(makeGrant(started, session, settings), asked, request)
        let granted = try world.change { turn in
            guard var used = try sessions.find(session.id, in: turn.db) else {
                throw started.refusal(.loginRequired(.sessionOver))
            }
            if let fault = try finish(started, in: turn.db) { throw started.refusal(fault) }
            used.lastUsedAt = now
            used.note(client: asked.client.id, issuer: grant.issuer)
            try turn.update(used, .lastUsedAt, .clients)
            let event = AuditEvent(
                .codeIssued, of: asked.client, subject: session.subject, request)
            try policy.note(event, in: turn.db)
            return try write(grant, asked, in: turn.db)
        }
        return asked.target.response(try members(granted, grant, asked) + sessionState(asked, session))
    }

    private func ruled(_ grant: Grant, _ asked: AuthorizationRequest, _ request: Request) throws -> Grant {
        do {
            let ruling = try ruling(on: IssueProposal(client: asked.client, grant: grant, request))
            let grant = try ruling.applied(to: grant)
            if asked.responseType.hasIDToken, !grant.scope.contains(ScopeList.openID) {
                throw AuthorizationRefusal(.openIDRemoved(asked.responseType), asked.target)
            }
            return grant
        } catch let refusal as IssueRefusal {
            // RFC 6749 §4.1.2.1; with prompt=none the client alone may be answered, OpenID Connect Core 1.0 §3.1.2.1.
            throw AuthorizationRefusal(.issue(refusal, isSilent: asked.isSilent), asked.target)
        }
    }

    private func makeGrant(
        _ started: StartedAuthorization, _ session: BrowserSession, _ settings: BrowserSettings
    ) -> Grant {
        let asked = started.asked
        var grant = Grant(
            id: uuid(for: "grant"), clientID: asked.client.id, subject: session.subject, scope: asked.scope,
            issuer: asked.target.issuer, type: asked.responseType.grantType, sessionID: session.id,
            authenticatedAt: session.authenticatedAt, acr: asked.acr(in: session, settings), amr: session.amr,
            nonce: asked.nonce, claims: asked.claims?.json, audience: asked.resources, createdAt: now)
        grant.ownParameters = started.parameters.values(behind: profile.ownParameterPrefix)
        grant.loginClaims = session.loginClaims
        return grant
    }

    /// Uses up a pushed request, which leads to one authorization. Source: RFC 9126 §4.
    ///
    /// A conversation counts in its place once it has begun, since it may last longer than the pushed request.
    ///
    /// - Returns: a fault when another tab was faster.
    func finish(_ started: StartedAuthorization, in db: Connection) throws -> AuthorizationFault? {
        guard let uri = started.pushedURI else { return nil }
        let isThere =
            if let opened = started.opened {
                try interactions.find(opened.interaction.digest, at: now, in: db) != nil
            } else {
                try pushedRequests.find(uri, clientID: started.asked.client.id, at: now, in: db).isSuccess
            }
        guard isThere else { return .pushedRequestSpent(uri) }
        try pushedRequests.consume(uri, in: db)
        // Every conversation that began with it.
        try interactions.delete(where: "pushed_uri = \(uri)", in: db)
        return nil
    }

    private func write(_ grant: Grant, _ asked: AuthorizationRequest, in db: Connection) throws -> Granted {
        var granted = Granted()
        if asked.responseType.hasToken {
            granted.tokens = try issueTokens(for: grant, to: asked.client, parameters: Form(""), in: db)
        } else if asked.responseType.hasCode {
            try grants.insert(grant, in: db)
            let code = Base64URL.encode(bytes(Handle.byteCount, for: "code"))
            let made = makeCode(
                code, grant, asked, seconds: try settings(in: db).codeSeconds(of: asked.client))
            try codes.insert(made, in: db)
            for subject in made.subjects { services.journal.concern(subject) }
            if db.lastInsertID.isMultiple(of: Token.tidyInterval) { try grants.tidy(in: db) }
            granted.code = code
        } else {
            granted.claims = try lonelyClaims(grant, asked.client, in: db)
        }
        return granted
    }

    private func makeCode(
        _ code: String, _ grant: Grant, _ asked: AuthorizationRequest, seconds: Int
    ) -> AuthorizationCode {
        var made = AuthorizationCode(
            digest: Handle.digest(code), grantID: grant.id, clientID: grant.clientID,
            redirectURI: asked.namesRedirectURI ? asked.target.redirectURI : nil,
            challenge: asked.challenge?.text, challengeMethod: asked.challenge?.method, issuedAt: now,
            expiresAt: now.addingTimeInterval(Double(seconds)))
        made.proofKey = asked.proofKey
        return made
    }

    private func members(
        _ granted: Granted, _ grant: Grant, _ asked: AuthorizationRequest
    ) throws -> [(name: String, value: String)] {
        if let code = granted.code { return [("code", code)] }
        guard let tokens = granted.tokens else {
            let token = IDToken(
                client: asked.client, grant: grant, now: now, issuedAt: services.clock.issuingTime(),
                claims: granted.claims, nonce: asked.nonce)
            return [("id_token", try sign(token))]
        }
        var response = try self.response(of: tokens)
        if !asked.responseType.hasIDToken { response["id_token"] = nil }
        return ["access_token", "token_type", "expires_in", "scope", "id_token"].compactMap { name in
            let value = response[name].flatMap { $0.string ?? $0.integer.map { String($0) } }
            return value.map { (name, $0) }
        }
    }

    /// Without an access token there is no other place for the claims. Source: OpenID Connect Core 1.0 §5.4.
    private func lonelyClaims(
        _ grant: Grant, _ client: Client, in db: Connection
    ) throws -> [String: JSONValue] {
        guard let user = try user(of: grant, in: db) else { return [:] }
        let mapping = try claimMapping(for: client, in: db)
        let claims = [ClaimMapping.Place.idToken, .userinfo].reduce(
            into: user.claims(grant.wantedClaims(.idToken) ?? [:])
        ) { told, place in
            told.merge(mapping.released(user.claims, by: grant.scope, to: place)) { one, _ in one }
        }
        return StandardClaims.wellTyped(claims)
    }

    /// Source: OpenID Connect Session Management 1.0 §3.2.
    private func sessionState(
        _ asked: AuthorizationRequest, _ session: BrowserSession
    ) -> [(name: String, value: String)] {
        guard asked.scope.contains(ScopeList.openID),
            let origin = RedirectURI.origin(of: asked.target.redirectURI)
        else { return [] }
        let salt = Hex.encode(bytes(8, for: "session.salt"))
        let text = "\(asked.client.id) \(origin) \(session.browserState) \(salt)"
        return [("session_state", Hex.encode(Digest.sha256(Array(text.utf8))) + "." + salt)]
    }
}

extension AuthorizationServer.StartedAuthorization {
    /// Whoever spent a pushed request reads it on a page.
    fileprivate func refusal(_ fault: AuthorizationFault) -> AuthorizationRefusal {
        AuthorizationRefusal(fault, pushedURI == nil ? asked.target : nil)
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
