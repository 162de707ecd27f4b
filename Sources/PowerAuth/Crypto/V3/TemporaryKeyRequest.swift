package import Crypto
import Essentials
package import JOSE

/// A device's request for a temporary key: a JWT by HS256, whose key depends on the scope that it names.
package struct TemporaryKeyRequest: Sendable, Equatable {
    package let applicationKey: ApplicationKey
    /// `nil` in application scope.
    package let activationID: String?
    /// Goes back as it came.
    package let challenge: String
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Reads the claims, which are not to be trusted before ``isAuthentic(secret:transport:)``.
    ///
    /// - Throws: ``ProtocolFault`` when the token is malformed or of another algorithm.
    package init(unverified token: String) throws {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else {
            throw Self.fault("jwt", "three parts in Base64url with dots between", "other text")
        }
        let header = try Self.object(parts[0], "header of the jwt")
        guard header["alg"]?.string == "HS256" else {
            throw Self.fault("alg of the jwt", "HS256", header["alg"]?.text ?? "nothing")
        }
        let claims = try Self.object(parts[1], "claims of the jwt")
        guard let key = claims["applicationKey"]?.string else {
            throw ProtocolFault.missing(member: "applicationKey", version: .v33)
        }
        guard let challenge = claims["challenge"]?.string else {
            throw ProtocolFault.missing(member: "challenge", version: .v33)
        }
        if let activation = claims["activationId"], !activation.isNull, activation.string == nil {
            throw Self.fault("activationId", "a string", "another type")
        }
        applicationKey = try ApplicationKey(key)
        activationID = claims["activationId"]?.string
        self.challenge = challenge
        self.signature = signature
        signed = Array(token.utf8.dropLast(parts[2].utf8.count + 1))
    }

    package var scope: EnvelopeScope { activationID == nil ? .application : .activation }

    /// Whether the signature is right; takes the same time for every wrong one of the right length.
    ///
    /// - Parameter transport: of the activation that the request names; `nil` in application scope.
    package func isAuthentic(secret: ApplicationSecret, transport: SecretKey?) -> Bool {
        guard (transport == nil) == (activationID == nil) else { return false }
        let key = transport?.derived(from: secret.decoded).bytes ?? secret.decoded
        return Digest.sha256.isAuthenticationCode(signature, of: signed, key: key)
    }

    private static func object(_ part: Substring, _ name: String) throws -> JSONValue {
        guard let bytes = Base64URL.decode(part), let value = try? JSONValue(parsing: bytes),
            value.object != nil
        else { throw fault(name, "a JSON object in Base64url", "other text") }
        return value
    }

    private static func fault(_ part: String, _ expected: String, _ got: String) -> ProtocolFault {
        .malformed(part: part, expected: expected, got: got)
    }
}

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

    /// JSON of the claims of a JWT under ``header``. The master key signs it in application scope, the activation's server key in
    /// activation scope.
    package func claims(answering request: TemporaryKeyRequest) throws -> [UInt8] {
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
        return claims.bytes
    }

    /// The SDK insists on both members.
    package static let header = JWSHeader(.es256, type: "JWT").encoded
}
