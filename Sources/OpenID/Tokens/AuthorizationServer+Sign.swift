package import Essentials
import JOSE
import PlatformKit

extension AuthorizationServer {
    /// Signs what has to be signed, outside of the transaction that prepared it.
    ///
    /// - Returns: the members of a token response. Source: RFC 6749 §5.1; OpenID Connect Core 1.0 §3.1.3.3.
    package func response(of prepared: PreparedTokens) throws -> [String: JSONValue] {
        let client = prepared.client
        prepared.grant.subject.map(services.journal.concern)
        services.journal.concern(Subject(.grant, prepared.grant.id))
        return try response(
            of: prepared,
            signedWith: TokenKeys(
                accessToken: prepared.access.format == .jwt
                    ? try signingKey(client.accessTokenAlgorithm) : nil,
                idToken: prepared.hasIDToken ? try signingKey(client.idTokenAlgorithm) : nil))
    }

    /// Needs no database, so that it can be called while that is in use.
    func response(of prepared: PreparedTokens, signedWith keys: TokenKeys) throws -> [String: JSONValue] {
        let accessToken = try accessToken(of: prepared, signedWith: keys)
        var members = prepared.members
        members["access_token"] = .string(accessToken)
        members["token_type"] = prepared.access.proofKey == nil ? "Bearer" : "DPoP"
        members["expires_in"] = .integer(prepared.client.accessTokenSeconds)
        members["scope"] = .string(prepared.access.scope.text)
        members["refresh_token"] = prepared.refreshToken.map(JSONValue.string)
        members["issued_token_type"] = prepared.issuedTokenType.map(JSONValue.string)
        if prepared.hasIDToken, let key = keys.idToken {
            members["id_token"] = .string(try sign(prepared.idToken(with: accessToken), with: key))
        }
        return members
    }

    /// The key that signs with an algorithm now.
    ///
    /// - Parameter algorithm: `RS256` or another JOSE name; one that nobody knows counts as `RS256`, the default of every client.
    func signingKey(_ algorithm: String) throws -> SigningKey {
        try services.memo.value(profile.memo.signingKey(algorithm)) {
            let algorithm = try settings().isFAPI ? strong(algorithm) : algorithm
            return try services.keys.signing(profile.name, JWSAlgorithm(name: algorithm) ?? .rs256)
        }
    }

    /// An algorithm of FAPI's that this server has a key for; the one that was asked for where it has none.
    private func strong(_ algorithm: String) throws -> String {
        let known = ServerSettings.fapiAlgorithms
        if known.contains(algorithm) { return algorithm }
        let published = try services.keys.published(profile.name).map(\.algorithm.name)
        return known.first(where: published.contains) ?? algorithm
    }

    /// The keys that verify what this server signed.
    func publishedKeys() throws -> [JWK] {
        try services.memo.value(profile.memo.publishedKeys) {
            try services.keys.published(profile.name).map(\.jwk)
        }
    }

    /// An ID token of its own, as the implicit flow needs it.
    func sign(_ token: IDToken) throws -> String {
        try sign(token, with: signingKey(token.client.idTokenAlgorithm))
    }

    private func sign(_ token: IDToken, with key: SigningKey) throws -> String {
        try services.sign(
            .object(token.members(key.algorithm)),
            order("id_token", user: token.grant.subject, client: token.client.id), with: key)
    }

    func accessToken(of prepared: PreparedTokens, signedWith keys: TokenKeys) throws -> String {
        let access = prepared.access
        guard access.format == .jwt, let key = keys.accessToken else { return prepared.handle }
        return try services.sign(
            prepared.accessTokenClaims,
            order("access_token", user: access.subject, client: access.clientID), with: key, type: "at+jwt")
    }

    /// What is about to be signed, as those see it who want it otherwise.
    func order(_ kind: String, user: String? = nil, client: String) -> SigningSubject {
        SigningSubject(profile.name, kind, user: user, client: client)
    }
}

extension AuthorizationServer {
    /// A JWT by which this server proves to another one who it is, good for a minute. Source: RFC 7523 §3.
    ///
    /// - Parameters:
    ///   - audience: the other server.
    ///   - issuer: this one, as the request knows it.
    package func proof(for audience: String, issuer: String) throws -> String {
        let claims: JSONValue = [
            "iss": .string(issuer), "sub": .string(issuer), "aud": .string(audience),
            "iat": .integer(services.clock.issuingTime().unixSeconds),
            "exp": .integer((now + 60).unixSeconds),
            "jti": .string(uuid(for: "proof")),
        ]
        return try services.sign(claims, SigningSubject(profile.name, "proof"), with: signingKey("RS256"))
    }
}

/// The keys that sign the tokens of one answer; nil for a token that is not signed or not there.
struct TokenKeys: Sendable {
    let accessToken: SigningKey?
    let idToken: SigningKey?
}

extension PreparedTokens {
    fileprivate func idToken(with accessToken: String) -> IDToken {
        IDToken(
            client: client, grant: grant, now: now, issuedAt: access.issuedAt,
            claims: idTokenClaims, accessToken: accessToken, nonce: isRefresh ? nil : grant.nonce)
    }

    /// Source: RFC 9068 §2.2. `ver`, `cid` and `scp` are what such tokens had before there was a standard.
    ///
    /// - Returns: JSON.
    fileprivate var accessTokenClaims: [UInt8] {
        let issuedAt = JSONValue.integer(access.issuedAt.unixSeconds)
        var claims = JSONObjectWriter()
        // RFC 8693 §4.1
        claims.add("act", grant.actor)
        claims.add("aud", .audience(access.audience.isEmpty ? [access.issuer] : access.audience))
        claims.add("cid", .string(access.clientID))
        claims.add("client_id", .string(access.clientID))
        // RFC 9449 §6.1
        claims.add("cnf", access.proofKey.map { ["jkt": .string($0)] })
        claims.add("exp", .integer(access.expiresAt.unixSeconds))
        claims.add("iat", issuedAt)
        claims.add("iss", .string(access.issuer))
        claims.add("jti", .string(handle))
        claims.add("nbf", issuedAt)
        claims.add("scope", .string(access.scope.text))
        claims.add("scp", JSONValue(access.scope.names))
        claims.add("sub", .string(access.subject ?? access.clientID))
        claims.add("ver", 1)
        for (name, value) in self.claims.sorted(by: { $0.key < $1.key }) where !Self.ownClaims.contains(name)
        {
            claims.add(name, value)
        }
        return claims.bytes
    }

    /// What no platform may say otherwise.
    private static let ownClaims: Set<String> = [
        "act", "aud", "cid", "client_id", "cnf", "exp", "iat", "iss", "jti", "nbf", "scope", "scp", "sub",
        "ver",
    ]
}

extension Client {
    /// Without a word: `RS256`. Source: RFC 9068 §2.1.
    var accessTokenAlgorithm: String { metadata.accessTokenSignedResponseAlg ?? "RS256" }
}
