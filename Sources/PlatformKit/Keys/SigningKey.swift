package import Crypto
package import JOSE

/// A private key with the name and the algorithm under which it signs.
package struct SigningKey: Sendable {
    package let kid: String
    /// JWS algorithm, such as `RS256`.
    package let algorithm: JWSAlgorithm
    package let privateKey: PrivateKey
    /// The public half as the JWKS shows it.
    package let jwk: JWK
}

extension SigningKey {
    init(_ fixture: KeyFixture) throws {
        kid = fixture.kid
        algorithm = fixture.algorithm
        privateKey = try PrivateKey(pem: fixture.pem.joined(separator: "\n") + "\n")
        jwk = try JWK(privateKey, kid: kid, algorithm: algorithm)
    }
}
