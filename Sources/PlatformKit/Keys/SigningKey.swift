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
    /// Of tokens whose type is `JWT`, and of access tokens. Source: RFC 7519 §5.1; RFC 9068 §2.1.
    package let plainHeader: EncodedHeader
    package let accessTokenHeader: EncodedHeader
}

extension SigningKey {
    init(_ fixture: KeyFixture) throws {
        guard let named = JWSAlgorithm(name: fixture.algorithm), case .keyPair(let signature) = named else {
            throw AlgorithmUnknown(name: fixture.algorithm)
        }
        let key = try PrivateKey(pem: fixture.pem.joined(separator: "\n") + "\n")
        guard signature.accepts(key.kind) else { throw KeyUnsuitable() }
        kid = fixture.kid
        algorithm = named
        privateKey = key
        jwk = JWK(.publicKey(key.publicKey), keyID: kid, algorithm: named.name, use: "sig")
        plainHeader = JWSHeader(named, keyID: kid, type: "JWT").encoded
        accessTokenHeader = JWSHeader(named, keyID: kid, type: "at+jwt").encoded
    }
}

/// A key of another kind than its algorithm takes.
struct KeyUnsuitable: Error, CustomStringConvertible {
    var description: String { "this key is of another kind" }
}

/// A key shall sign with an algorithm that is none, or that needs no key pair.
struct AlgorithmUnknown: Error, CustomStringConvertible {
    let name: String

    var description: String { "expected a signature algorithm such as RS256 or ES256, found “\(name)”" }
}
