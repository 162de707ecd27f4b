import Crypto
import Essentials
import HTTP
import JOSE
package import PlatformKit
import SQLite

/// Tokens to order, for the platform that mounts the server.
extension AuthorizationServer {
    /// Claims that this server's checks depend on.
    private static let checkedClaims: Set<String> = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "azp", "at_hash", "c_hash", "events",
    ]

    /// - Parameter place: where access tokens are taken, such as `/oauth/v1/userinfo`.
    package static func tokenKinds(_ place: String) -> [TokenKind] {
        let use = "Authorization: Bearer, such as at \(place)"
        return [
            TokenKind(
                "access_token", "Access token", use: use, isJWT: false, needs: [.client],
                optional: [.user, .scope]),
            TokenKind(
                "jwt_access_token", "Access token as JWT", use: use, needs: [.client],
                optional: [.user, .scope], reserved: AccessTokenClaims.reserved),
            TokenKind(
                "id_token", "ID token", use: "the client; id_token_hint; subject_token of an exchange",
                needs: [.client, .user], optional: [.scope], reserved: checkedClaims),
            TokenKind(
                "refresh_token", "Refresh token", use: "grant_type=refresh_token at the token endpoint",
                isJWT: false, needs: [.client, .user], optional: [.scope]),
        ]
    }

    package static let logoutTokenKind = TokenKind(
        "logout_token", "Logout token", use: "the client's back-channel logout endpoint",
        needs: [.client, .user], reserved: checkedClaims.union(["nonce"]))

    /// - Throws: `MintRefusal`; `SQLiteError`.
    package func mint(_ order: MintRequest) throws -> MintedToken {
        let id = try order.required(.client)
        guard let client = try database.read({ db in try clients.find(id, in: db) }) else {
            let known = try database.read { db in try clients.all(in: db).map(\.id) }
            throw MintRefusal.unknown("client", id, known: known)
        }
        return try mint(order, for: client)
    }

    /// - Parameters:
    ///   - client: it need not be among those of this server.
    ///   - context: a note that the grant shall carry.
    package func mint(_ order: MintRequest, for client: Client, context: String? = nil) throws -> MintedToken
    {
        let client = client.minting(order)
        let grant = try grant(order, client, context)
        switch order.kind {
        case "id_token": return try mintIDToken(order, grant, client)
        case "logout_token": return try mintLogoutToken(order, grant, client)
        default: return try mintTokens(order, grant, client)
        }
    }

    private func grant(_ order: MintRequest, _ client: Client, _ context: String?) throws -> Grant {
        let now = self.now
        let issuer = try issuer(order.request)
        return try database.read { db in
            var grant = Grant(
                id: uuid(for: "grant"), clientID: client.id, subject: order.user,
                scope: try scope(order, client, in: db), issuer: issuer,
                type: order.user == nil ? GrantType.clientCredentials : GrantType.authorizationCode,
                authenticatedAt: order.user.map { _ in now }, context: context, createdAt: now)
            if order.kind != "id_token" { grant.tokenClaims = order.claims }
            guard !profile.asksUsersItself, let subject = order.user, try user(of: grant, in: db) == nil
            else {
                return grant
            }
            throw MintRefusal.unknown("user", subject, known: try users.all(in: db).map(\.subject))
        }
    }

    /// What was asked for; else what the client has without asking, or all that it may ask for.
    private func scope(_ order: MintRequest, _ client: Client, in db: Connection) throws -> ScopeList {
        guard let text = order.scope else { return client.defaultScopes ?? scopes.assigned(to: client) }
        switch try scopes.resolve(text, for: client, demandsScope: false, in: db) {
        case .success(let scope): return scope
        case .failure(let fault): throw MintRefusal.impossible(fault.explanation)
        }
    }

    private func mintTokens(_ order: MintRequest, _ grant: Grant, _ client: Client) throws -> MintedToken {
        let prepared = try keeping(order) { turn in
            let prepared = try issueTokens(for: grant, to: client, parameters: Form(""), in: turn.db)
            guard order.kind != "refresh_token" || prepared.refreshToken != nil else {
                throw MintRefusal.impossible(
                    "The client “\(client.id)” gets no refresh tokens for this: its grant_types lack refresh_token, or the fixtures "
                        + "say so otherwise.")
            }
            if order.flaw == .expired, client.accessTokenFormat == .opaque { try age(prepared, turn) }
            return prepared
        }
        if order.kind == "refresh_token", let text = prepared.refreshToken {
            let kept = try database.read { db in try refreshTokens.find(Handle.digest(text), in: db) }
            return MintedToken(text, expiresAt: kept?.expiresAt, isRegistered: kept != nil)
        }
        let key =
            prepared.access.format == .jwt ? try signingKey(client.accessTokenAlgorithm) : nil
        let text = try accessToken(of: prepared, signedWith: TokenKeys(accessToken: key, idToken: nil))
        let kept = try database.read { db in try accessTokens.find(prepared.access.digest.bytes, in: db) }
        return MintedToken(
            text, expiresAt: kept?.expiresAt ?? prepared.access.expiresAt, isRegistered: kept != nil)
    }

    private func mintIDToken(_ order: MintRequest, _ grant: Grant, _ client: Client) throws -> MintedToken {
        let token = try keeping(order) { turn in
            try grants.insert(grant, in: turn.db)
            let told = try claims(for: grant, client, grant.scope, in: turn.db)
            return IDToken(
                client: client, grant: grant, now: turn.now, issuedAt: services.clock.issuingTime(),
                claims: told[.idToken] ?? [:])
        }
        return MintedToken(
            try sign(token), expiresAt: token.now + Double(client.idTokenSeconds),
            isRegistered: order.flaw == nil)
    }

    private func mintLogoutToken(_ order: MintRequest, _ grant: Grant, _ client: Client) throws -> MintedToken
    {
        let notice = LogoutNotice(
            client: client, issuer: grant.issuer, subject: try order.required(.user),
            sessionID: uuid(for: "session"))
        let seconds = order.lifetimeSeconds ?? Self.logoutTokenSeconds
        return MintedToken(
            try logoutToken(notice, seconds: seconds), expiresAt: now + Double(seconds), isRegistered: false)
    }

    /// One turn, of which nothing stays when the token shall be a wrong JWT: nobody may know it.
    private func keeping<Value: Sendable>(
        _ order: MintRequest, _ make: (Turn) throws -> Value
    ) throws -> Value {
        do {
            return try world.change { turn in
                let value = try make(turn)
                if order.isWrongJWT { throw NotKept(value: value) }
                return value
            }
        } catch let made as NotKept<Value> {
            return made.value
        }
    }

    /// Lets the tokens be over for an hour.
    private func age(_ prepared: PreparedTokens, _ turn: Turn) throws {
        var access = prepared.access
        let age = turn.now.timeIntervalSince(access.expiresAt) - 3600
        (access.issuedAt, access.expiresAt) = (access.issuedAt + age, access.expiresAt + age)
        try turn.update(access, .issuedAt, .expiresAt)
        guard let text = prepared.refreshToken,
            var refresh = try refreshTokens.find(Handle.digest(text), in: turn.db)
        else { return }
        let shift = turn.now.timeIntervalSince(refresh.expiresAt) - 3600
        (refresh.issuedAt, refresh.expiresAt) = (refresh.issuedAt + shift, refresh.expiresAt + shift)
        try turn.update(refresh, .issuedAt, .expiresAt)
    }
}

/// What a turn made that was taken back on purpose.
private struct NotKept<Value: Sendable>: Error {
    let value: Value
}

extension MintRequest {
    fileprivate var isOpaque: Bool { ["access_token", "refresh_token"].contains(kind) }
    fileprivate var isWrongJWT: Bool { flaw != nil && !isOpaque }
}

extension Client {
    /// The client with what an order wants otherwise about its tokens.
    fileprivate func minting(_ order: MintRequest) -> Client {
        var client = self
        client.metadata.accessTokenFormat = order.isOpaque ? .opaque : .jwt
        guard let seconds = order.lifetimeSeconds else { return client }
        client.metadata.accessTokenLifetime = seconds
        client.metadata.idTokenLifetime = seconds
        client.metadata.refreshTokenLifetime = seconds
        client.metadata.refreshTokenMaxLifetime = seconds
        return client
    }
}
