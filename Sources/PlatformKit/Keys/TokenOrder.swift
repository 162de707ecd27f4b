package import Crypto
package import Essentials
package import JOSE

/// A token that is about to be signed: which one, and for whom.
package struct TokenOrder: Sendable, Equatable {
    /// ``Platform/name``
    package let platform: String
    /// Such as `id_token`; the names of ``TokenKind`` where it can be minted.
    package let kind: String
    /// As the token names the user.
    package var user: String?
    package var client: String?

    package init(_ platform: String, _ kind: String, user: String? = nil, client: String? = nil) {
        (self.platform, self.kind, self.user, self.client) = (platform, kind, user, client)
    }
}

/// What shall be otherwise about a token that is about to be signed.
package struct TokenChange: Sendable {
    package var flaw: TokenFlaw?
    /// Beside the claims that the platform gives it, or in their place.
    package var claims: [String: JSONValue]
    /// In the place of the key that signs now.
    package var key: SigningKey?

    package init(flaw: TokenFlaw? = nil, claims: [String: JSONValue] = [:], key: SigningKey? = nil) {
        (self.flaw, self.claims, self.key) = (flaw, claims, key)
    }
}

/// Who says what shall be otherwise about tokens.
package struct TokenChanges: Sendable {
    /// Asked once for each token, right before it is signed, on the thread that signs; nil when it is to be a good one. It must not use
    /// the world's database: some tokens are signed while a turn has it.
    package var change: @Sendable (TokenOrder) -> TokenChange?

    package init(_ change: @escaping @Sendable (TokenOrder) -> TokenChange?) { self.change = change }
}

extension Services {
    /// Signs a JWT: the one place where all platforms do.
    ///
    /// - Parameters:
    ///   - claims: a JSON object.
    ///   - type: `typ` of the header.
    /// - Throws: `JOSEError` when the key is not for its algorithm.
    package func sign(
        _ claims: [UInt8], _ order: TokenOrder, with key: SigningKey, type: String = "JWT"
    ) throws -> String {
        guard let change = tokenChanges?.change(order) else {
            return try JWS.sign(claims, header: key.header(type), key: .privateKey(key.privateKey))
        }
        let key = change.key ?? key
        return try sign(claims, key.header(type), key.privateKey, change)
    }

    package func sign(
        _ claims: JSONValue, _ order: TokenOrder, with key: SigningKey, type: String = "JWT"
    ) throws -> String {
        try sign(claims.bytes, order, with: key, type: type)
    }

    /// The same by a key that is not among those of the fixtures, such as an application's.
    package func sign(
        _ claims: [UInt8], _ order: TokenOrder, header: EncodedHeader, by key: PrivateKey
    ) throws -> String {
        guard let change = tokenChanges?.change(order) else {
            return try JWS.sign(claims, header: header, key: .privateKey(key))
        }
        return try sign(claims, header, key, change)
    }

    private func sign(
        _ claims: [UInt8], _ header: EncodedHeader, _ key: PrivateKey, _ change: TokenChange
    ) throws -> String {
        let claims = try change.applied(to: claims)
        guard let flaw = change.flaw else {
            return try JWS.sign(claims, header: header, key: .privateKey(key))
        }
        let now = clock.now().unixSeconds
        return try flaw.sign(claims, header: header.header, key: key, at: now)
    }
}

extension TokenChange {
    fileprivate func applied(to json: [UInt8]) throws -> [UInt8] {
        guard !claims.isEmpty, let members = try JSONValue(parsing: json).object else { return json }
        return JSONValue.object(members.merging(claims) { _, wanted in wanted }).bytes
    }
}

extension SigningKey {
    fileprivate func header(_ type: String) -> EncodedHeader {
        switch type {
        case "JWT": plainHeader
        case "at+jwt": accessTokenHeader
        default: JWSHeader(algorithm, keyID: kid, type: type).encoded
        }
    }
}
