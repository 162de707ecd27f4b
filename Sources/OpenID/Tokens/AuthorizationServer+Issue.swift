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
    ///   - refreshable: scope and last moment of the refresh token that was traded; nil for a grant's first tokens.
    func prepare(
        _ issue: TokenIssue, scope: ScopeList, refreshable: (scope: ScopeList, until: Date)? = nil,
        in db: Connection
    ) throws -> PreparedTokens {
        var grant = issue.grant
        let terms = grant.isOfUser ? try policy.terms(of: issue, in: db) : IssueTerms()
        if let context = terms.context, context != grant.context {
            try grants.setContext(context, of: grant.id, in: db)
            grant.context = context
        }
        if !issue.isRefresh { try makeRoom(for: grant, of: issue.client, at: issue.now, in: db) }
        let (access, handle) = try makeAccessToken(grant, issue.client, scope, at: issue.now, in: db)
        let getsRefreshToken =
            issue.isRefresh || (terms.getsRefreshToken ?? issue.client.getsRefreshToken(for: grant))
        return PreparedTokens(
            client: issue.client, grant: grant, access: access, handle: handle,
            refreshToken: getsRefreshToken
                ? try makeRefreshToken(grant, issue.client, refreshable, at: issue.now, in: db) : nil,
            user: try grant.wantedClaims(.idToken) == nil ? nil : user(of: grant, in: db),
            isRefresh: issue.isRefresh, now: issue.now, members: terms.members,
            claims: access.format == .jwt
                ? try policy.claims(ofAccessTokenFor: scope, in: db).merging(access.claims) { own, _ in own }
                : [:])
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
        _ grant: Grant, _ client: Client, _ scope: ScopeList, at now: Date, in db: Connection
    ) throws -> (AccessToken, handle: String) {
        let id = uuid(for: "access_token.id")
        let handle = client.accessTokenFormat == .jwt ? "AT." + id : self.handle(for: "access_token")
        var token = AccessToken(
            digest: Handle.digest(handle), id: id, grantID: grant.id, clientID: client.id,
            subject: grant.subject, scope: scope, audience: grant.audience, issuer: grant.issuer,
            format: client.accessTokenFormat, issuedAt: services.clock.issuingTime(),
            expiresAt: now.addingTimeInterval(Double(client.accessTokenSeconds)))
        token.claims = grant.tokenClaims
        try tokens.insert(token, in: db)
        try tokens.tidy(in: db)
        return (token, handle)
    }

    private func makeRefreshToken(
        _ grant: Grant, _ client: Client, _ before: (scope: ScopeList, until: Date)?, at now: Date,
        in db: Connection
    ) throws -> String {
        let text = handle(for: "refresh_token")
        let idle = now.addingTimeInterval(Double(client.refreshTokenSeconds))
        let until = before?.until ?? now.addingTimeInterval(Double(client.refreshTokenMaxSeconds))
        try tokens.insert(
            RefreshToken(
                digest: Handle.digest(text), id: uuid(for: "refresh_token.id"), grantID: grant.id,
                clientID: client.id, scope: before?.scope ?? grant.scope, issuedAt: now,
                expiresAt: min(idle, until)),
            in: db)
        return text
    }
}

extension Grant {
    /// Whether a user logged in for it.
    fileprivate var isOfUser: Bool { subject != nil && type != GrantType.tokenExchange }
}

extension Client {
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
