import Essentials
package import HTTP
import PlatformKit
package import SQLite

extension AuthorizationServer {
    /// Makes tokens for a grant that did not come from the authorization endpoint, which is stored with them.
    ///
    /// Inside the caller's transaction; ``response(of:)`` signs them after it.
    ///
    /// - Parameters:
    ///   - grant: as it was asked about.
    ///   - ruling: of ``ruling(on:)``, made before the transaction.
    package func issueTokens(
        for grant: Grant, to client: Client, parameters: Form, under ruling: IssueRuling, in db: Connection
    ) throws -> PreparedTokens {
        try issueTokens(for: ruling.applied(to: grant), to: client, parameters: parameters, in: db)
    }

    /// - Parameter grant: with what the ruling left of it.
    func issueTokens(
        for grant: Grant, to client: Client, parameters: Form, in db: Connection
    ) throws -> PreparedTokens {
        try grants.insert(grant, in: db)
        let issue = TokenIssue(
            client: client, grant: grant, parameters: parameters, isRefresh: false, now: now)
        return try prepare(issue, scope: grant.scope, in: db)
    }

    /// The tokens of a grant that stands in the database.
    ///
    /// - Parameters:
    ///   - scope: of the access token; the grant's own or less.
    ///   - audience: the same; nil for the grant's own, or else the client's.
    ///   - refreshable: scope and last moment of the refresh token that was traded; nil for a grant's first tokens.
    func prepare(
        _ issue: TokenIssue, scope: ScopeList, audience: [String]? = nil,
        refreshable: (scope: ScopeList, until: Date)? = nil, in db: Connection
    ) throws -> PreparedTokens {
        var grant = issue.grant
        let terms = grant.isOfUser ? try policy.terms(of: issue, in: db) : IssueTerms()
        if let context = terms.context, context != grant.context {
            grant.context = context
            try note(context, in: grant.id, db)
        }
        if !issue.isRefresh { try makeRoom(for: grant, of: issue.client, at: issue.now, in: db) }
        let told = try claims(for: grant, issue.client, scope, in: db)
        let (access, handle) = try makeAccessToken(
            grant, issue, scope, audience ?? issue.client.audience(of: grant), told[.accessToken] ?? [:],
            in: db)
        let getsRefreshToken =
            issue.isRefresh
            ? !issue.keepsRefreshToken : (terms.getsRefreshToken ?? issue.client.getsRefreshToken(for: grant))
        return PreparedTokens(
            client: issue.client, grant: grant, access: access, handle: handle,
            refreshToken: getsRefreshToken
                ? try makeRefreshToken(grant, issue, refreshable, in: db) : nil,
            idTokenClaims: told[.idToken] ?? [:], isRefresh: issue.isRefresh, now: issue.now,
            members: terms.members,
            claims: access.format == .jwt
                ? try policy.claims(ofAccessTokenFor: scope, in: db).merging(access.claims) { own, _ in own }
                : [:])
    }

    /// The rest of a grant that tokens are made for may differ from what is kept.
    private func note(_ context: String, in id: String, _ db: Connection) throws {
        guard var grant = try grants.find(id, in: db) else { return }
        grant.context = context
        try db.update(grant, .context)
    }

    /// What the tokens of a grant say of its user.
    func claims(
        for grant: Grant, _ client: Client, _ scope: ScopeList, in db: Connection
    ) throws -> [ClaimMapping.Place: [String: JSONValue]] {
        if grant.type == GrantType.clientCredentials {
            return [.accessToken: AccessTokenClaims.permitted(client.metadata.claims ?? [:])]
        }
        let mapping = try claimMapping(for: client, in: db)
        let wanted = grant.wantedClaims(.idToken)
        guard wanted != nil || !mapping.places.isDisjoint(with: [.idToken, .accessToken]),
            let user = try user(of: grant, in: db)
        else { return [:] }
        let byScope = mapping.released(user.claims, by: scope, to: .idToken)
        return [
            .idToken: StandardClaims.wellTyped(byScope.merging(user.claims(wanted ?? [:])) { one, _ in one }),
            .accessToken: StandardClaims.wellTyped(
                mapping.released(user.claims, by: scope, to: .accessToken)),
        ]
    }

    func user(of grant: Grant, in db: Connection) throws -> User? {
        if let own = try policy.user(of: grant, in: db) { return grant.overlay(own) }
        return try grant.overlay(grant.subject.flatMap { try users.find($0, in: db) })
    }

    /// Ends the oldest grants of user and client where there may not be as many.
    private func makeRoom(for grant: Grant, of client: Client, at now: Date, in db: Connection) throws {
        guard let limit = client.metadata.maxSimultaneousSessions, let subject = grant.subject else { return }
        let others = try grants.all(.init(clientID: client.id, subject: subject), in: db)
            .filter { $0.end == nil && $0.id != grant.id }
            // Where there may be one, it is one of each scope. Source: Token Server documentation, web clients API.
            .filter { limit > 1 || Set($0.scope.names) == Set(grant.scope.names) }
        for old in others.dropLast(max(limit - 1, 0)) {
            try grants.end(.init(grantID: old.id), .superseded, at: now, in: db)
        }
    }

    private func makeAccessToken(
        _ grant: Grant, _ issue: TokenIssue, _ scope: ScopeList, _ audience: [String],
        _ claims: [String: JSONValue], in db: Connection
    ) throws -> (AccessToken, handle: String) {
        let (client, now) = (issue.client, issue.now)
        let id = uuid(for: "access_token.id")
        let handle = client.accessTokenFormat == .jwt ? "AT." + id : self.handle(for: "access_token")
        var token = AccessToken(
            digest: Handle.digest(handle), id: id, grantID: grant.id, clientID: client.id,
            subject: grant.subject, scope: scope, audience: audience, issuer: grant.issuer,
            format: client.accessTokenFormat, issuedAt: services.clock.issuingTime(),
            expiresAt: now.addingTimeInterval(Double(client.accessTokenSeconds)))
        token.claims = claims.merging(grant.tokenClaims) { _, others in others }
        token.proofKey = issue.proofKey
        try accessTokens.insert(token, in: db)
        try tidyTokens(in: db)
        return (token, handle)
    }

    /// Now and then, by the number of the access token that was just made.
    private func tidyTokens(in db: Connection) throws {
        guard db.lastInsertID.isMultiple(of: Token.tidyInterval) else { return }
        let last = db.lastInsertID
        try accessTokens.tidy(upTo: last, in: db)
        try refreshTokens.tidy(in: db)
        try grants.tidy(in: db)
    }

    private func makeRefreshToken(
        _ grant: Grant, _ issue: TokenIssue, _ before: (scope: ScopeList, until: Date)?, in db: Connection
    ) throws -> String {
        let (client, now) = (issue.client, issue.now)
        let text = handle(for: "refresh_token")
        let idle = now.addingTimeInterval(Double(client.refreshTokenSeconds))
        let until = before?.until ?? now.addingTimeInterval(Double(client.refreshTokenMaxSeconds))
        var token = RefreshToken(
            digest: Handle.digest(text), id: uuid(for: "refresh_token.id"), grantID: grant.id,
            clientID: client.id, scope: before?.scope ?? grant.scope, issuedAt: now,
            expiresAt: min(idle, until))
        // A client with credentials proves itself by them. Source: RFC 9449 §5.
        token.proofKey = client.isPublic ? issue.proofKey : nil
        try refreshTokens.insert(token, in: db)
        return text
    }
}

extension Grant {
    /// Whether a user logged in for it.
    fileprivate var isOfUser: Bool { subject != nil && type != GrantType.tokenExchange }
}

extension Client {
    /// The audience of access tokens of a grant; empty for the issuer itself. Source: Token Server documentation, web clients API.
    func audience(of grant: Grant) -> [String] {
        grant.audience.isEmpty ? metadata.audiences ?? [] : grant.audience
    }

    /// Nobody who acts for itself, by somebody else's token or in a browser's script gets one. Sources: RFC 6749 §4.4.3, §4.2.2.
    fileprivate func getsRefreshToken(for grant: Grant) -> Bool {
        switch grant.type {
        case GrantType.clientCredentials, GrantType.tokenExchange, GrantType.implicit: false
        default:
            getsRefreshTokens
                || (grant.scope.contains(ScopeList.offlineAccess) && may(GrantType.refreshToken))
        }
    }
}

extension AuthorizationServer {
    /// Asks whoever has a say in an issue; other servers may be called, so never inside a transaction.
    ///
    /// The transaction that issues comes after it, and applies the ruling. Nothing is written before: what refuses here spends no
    /// code and no refresh token.
    ///
    /// - Throws: ``IssueRefusal``, also when no scope is left of some.
    package func ruling(on proposal: IssueProposal) throws -> IssueRuling {
        let ruling = IssueRuling(proposal, try policy.review(proposal))
        guard !ruling.scope.isEmpty || proposal.scope.isEmpty else {
            throw IssueRefusal.scopesDenied(
                page: nil,
                explanation:
                    "All scopes that the client “\(proposal.client.id)” would get, “\(proposal.scope.text)”, were removed by "
                    + "those who were asked; without one there is nothing to issue.")
        }
        return ruling
    }

    /// The same for a token request that makes a grant of its own.
    func ruled(_ grant: Grant, _ call: ClientCall) throws -> Grant {
        try ruling(on: IssueProposal(client: call.client, grant: grant, call.request)).applied(to: grant)
    }
}
