package import Essentials

/// Claims as JSON in a signed token. Source: RFC 7519.
package enum JWT {
    /// Signs claims; their JSON has its members in the order of their names, and dates as whole seconds since 1970.
    ///
    /// - Throws: ``JOSEError`` when the key is not for the algorithm or has no private part.
    package static func sign(
        _ claims: some Encodable, header: JWSHeader, key: KeyMaterial
    ) throws -> String {
        try JWS.sign(encodeJSON(claims), header: header, key: key)
    }

    /// Signs with the algorithm and under the id of `key`, which must name both.
    package static func sign(
        _ claims: some Encodable, with key: JWK, type: String? = "JWT"
    ) throws -> String {
        guard let algorithm = key.algorithm.flatMap(JWSAlgorithm.init(name:)) else {
            throw JOSEError.algorithmUnsupported(key.algorithm ?? "")
        }
        return try sign(
            claims, header: JWSHeader(algorithm, keyID: key.keyID, type: type), key: key.material)
    }

    /// Checks the signature, then the times.
    ///
    /// - Throws: ``JOSEError``.
    package static func verify(
        _ token: String, keys: [JWK], at now: Date, leewaySeconds: Int = 0
    ) throws -> JWS.Verified {
        let verified = try JWS.verify(token, keys: keys)
        try verified.decode(TimeClaims.self).check(at: now, leewaySeconds: leewaySeconds)
        return verified
    }
}
