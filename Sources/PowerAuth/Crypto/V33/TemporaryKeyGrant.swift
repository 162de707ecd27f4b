package import Crypto
import Essentials
import JOSE

/// The answer to a ``TemporaryKeyRequest``.
package struct TemporaryKeyGrant: Sendable {
    /// A UUID in lower case.
    package let id: String
    package let publicKey: PublicKey
    /// Milliseconds since 1970.
    package let issued: Int
    /// Milliseconds since 1970.
    package let expires: Int

    package init(id: String, publicKey: PublicKey, issued: Int, expires: Int) {
        self.id = id
        self.publicKey = publicKey
        self.issued = issued
        self.expires = expires
    }

    /// A JWT by ES256.
    ///
    /// - Parameter key: the master key in application scope, the activation's server key in activation scope.
    package func signed(answering request: TemporaryKeyRequest, by key: PrivateKey) throws -> String {
        var claims = JSONObjectWriter()
        claims.add("activationId", request.activationID.map(JSONValue.string))
        claims.add("applicationKey", .string(request.applicationKey.text))
        claims.add("challenge", .string(request.challenge))
        claims.add("exp", .integer(expires / 1000))
        claims.add("exp_ms", .integer(expires))
        claims.add("iat", .integer(issued / 1000))
        claims.add("iat_ms", .integer(issued))
        claims.add("publicKey", .string(Base64.encode(try publicKey.x962())))
        claims.add("sub", .string(id))
        return try JWS.sign(claims.bytes, header: Self.header, key: .privateKey(key))
    }

    /// The SDK insists on both members.
    private static let header = JWSHeader(.es256, type: "JWT").encoded
}
