package import Essentials
import JOSE
import PlatformKit

extension AuthorizationServer {
    /// Signs what has to be signed, outside of the transaction that prepared it.
    ///
    /// - Returns: the members of a token response. Source: RFC 6749 §5.1; OpenID Connect Core 1.0 §3.1.3.3.
    package func response(of prepared: PreparedTokens) throws -> [String: JSONValue] {
        let client = prepared.client
        return try response(
            of: prepared,
            signedWith: TokenKeys(
                accessToken: prepared.access.format == .jwt
                    ? try signingKey(client.accessTokenAlgorithm) : nil,
                idToken: prepared.hasIDToken ? try signingKey(client.idTokenAlgorithm) : nil))
    }

    /// Needs no database, so that it can be called while that is in use.
    func response(of prepared: PreparedTokens, signedWith keys: TokenKeys) throws -> [String: JSONValue] {
        let accessToken = try prepared.accessToken(signedWith: keys)
        var members = prepared.members
        members["access_token"] = .string(accessToken)
        members["token_type"] = "Bearer"
        members["expires_in"] = .integer(prepared.client.accessTokenSeconds)
        members["scope"] = .string(prepared.access.scope.text)
        members["refresh_token"] = prepared.refreshToken.map(JSONValue.string)
        members["issued_token_type"] = prepared.issuedTokenType.map(JSONValue.string)
        if prepared.hasIDToken, let key = keys.idToken {
            members["id_token"] = .string(try prepared.idToken(with: accessToken).signed(with: key))
        }
        return members
    }

    /// The key that signs with an algorithm now.
    ///
    /// - Parameter algorithm: `RS256` or another JOSE name; one that nobody knows counts as `RS256`, the default of every client.
    func signingKey(_ algorithm: String) throws -> SigningKey {
        try services.memo.value("\(profile.name).openid.signing.\(algorithm)") {
            try services.keys.signing(profile.name, JWSAlgorithm(name: algorithm) ?? .rs256)
        }
    }

    /// The keys that verify what this server signed.
    func publishedKeys() throws -> [JWK] {
        try services.memo.value("\(profile.name).openid.published") {
            try services.keys.published(profile.name).map(\.jwk)
        }
    }

    /// An ID token of its own, as the implicit flow needs it.
    func sign(_ token: IDToken) throws -> String {
        try token.signed(with: signingKey(token.client.idTokenAlgorithm))
    }
}

/// The keys that sign the tokens of one answer; nil for a token that is not signed or not there.
struct TokenKeys: Sendable {
    let accessToken: SigningKey?
    let idToken: SigningKey?
}

extension IDToken {
    fileprivate func signed(with key: SigningKey) throws -> String {
        try key.sign(.object(members(key.algorithm)))
    }
}

extension PreparedTokens {
    fileprivate func accessToken(signedWith keys: TokenKeys) throws -> String {
        guard access.format == .jwt, let key = keys.accessToken else { return handle }
        return try key.sign(.object(accessTokenClaims), type: "at+jwt")
    }

    fileprivate func idToken(with accessToken: String) -> IDToken {
        IDToken(
            client: client, grant: grant, now: access.issuedAt,
            claims: user.map { $0.claims(grant.wantedClaims(.idToken) ?? [:]) } ?? [:],
            accessToken: accessToken, nonce: isRefresh ? nil : grant.nonce)
    }

    /// Source: RFC 9068 §2.2. `ver`, `cid` and `scp` are what such tokens had before there was a standard.
    fileprivate var accessTokenClaims: [String: JSONValue] {
        let issuedAt = access.issuedAt.wholeSeconds
        var claims: [String: JSONValue] = [
            "iss": .string(access.issuer), "sub": .string(access.subject ?? access.clientID),
            "aud": .audience(access.audience.isEmpty ? [access.issuer] : access.audience),
            "client_id": .string(access.clientID), "cid": .string(access.clientID),
            "iat": .integer(issuedAt), "nbf": .integer(issuedAt),
            "exp": .integer(access.expiresAt.wholeSeconds), "jti": .string(handle),
            "scope": .string(access.scope.text), "scp": JSONValue(access.scope.names), "ver": 1,
        ]
        // RFC 8693 §4.1
        claims["act"] = grant.actor
        return claims.merging(self.claims) { own, _ in own }
    }
}

extension Client {
    /// Without a word: `RS256`. Source: RFC 9068 §2.1.
    var accessTokenAlgorithm: String { metadata.accessTokenSignedResponseAlg ?? "RS256" }
}

extension SigningKey {
    /// A JWT with these claims. It names its key: client libraries refuse to guess.
    func sign(_ claims: JSONValue, type: String = IDToken.type) throws -> String {
        try JWS.sign(
            claims.bytes, header: JWSHeader(algorithm, keyID: kid, type: type), key: .privateKey(privateKey))
    }
}
