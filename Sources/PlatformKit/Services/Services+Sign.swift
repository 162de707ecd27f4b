package import Crypto
package import Essentials
package import JOSE

extension Services {
    /// Signs a JWT: the one place where all platforms do.
    ///
    /// - Parameters:
    ///   - claims: a JSON object.
    ///   - type: `typ` of the header.
    /// - Throws: `JOSEError` when the key is not for its algorithm.
    package func sign(
        _ claims: [UInt8], _ order: SigningSubject, with key: SigningKey, type: String = "JWT"
    ) throws -> String {
        guard let change = tokenAlterations?.change(order) else {
            return try JWS.sign(claims, header: key.header(type), key: .privateKey(key.privateKey))
        }
        let key = change.key ?? key
        return try sign(claims, key.header(type), key.privateKey, change)
    }

    package func sign(
        _ claims: JSONValue, _ order: SigningSubject, with key: SigningKey, type: String = "JWT"
    ) throws -> String {
        try sign(claims.bytes, order, with: key, type: type)
    }

    /// The same by a key that is not among those of the fixtures, such as an application's.
    package func sign(
        _ claims: [UInt8], _ order: SigningSubject, header: EncodedHeader, by key: PrivateKey
    ) throws -> String {
        guard let change = tokenAlterations?.change(order) else {
            return try JWS.sign(claims, header: header, key: .privateKey(key))
        }
        return try sign(claims, header, key, change)
    }

    private func sign(
        _ claims: [UInt8], _ header: EncodedHeader, _ key: PrivateKey, _ change: TokenAlteration
    ) throws -> String {
        let claims = try change.applied(to: claims)
        guard let flaw = change.flaw else {
            return try JWS.sign(claims, header: header, key: .privateKey(key))
        }
        let now = clock.now().unixSeconds
        return try flaw.sign(claims, header: header.header, key: key, at: now)
    }
}

extension TokenAlteration {
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
