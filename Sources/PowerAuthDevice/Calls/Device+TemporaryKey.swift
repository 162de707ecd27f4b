import Crypto
import DeviceKit
import Essentials
import JOSE

extension Device {
    /// The key to encrypt to in protocol 3.3 and 4.0, fetched when there is none that lives long enough.
    package func temporaryKey(_ scope: Scope) throws -> TemporaryKey {
        if let foreign = faults.temporaryKey { return foreign }
        if let key = temporaryKeys[scope], key.isOfFourth == isOfFourth, key.isUsable(at: now) { return key }
        let key = try fetchTemporaryKey(scope)
        temporaryKeys[scope] = key
        return key
    }

    /// `keystore/create`; the time in the answer sets the clock.
    package func fetchTemporaryKey(_ scope: Scope) throws -> TemporaryKey {
        try isOfFourth ? fetchTemporarySecret(scope) : fetchTemporaryPoint(scope)
    }

    private func fetchTemporaryPoint(_ scope: Scope) throws -> TemporaryKey {
        let challenge = Base64.encode(draw(18))
        var claims: [String: JSONValue] = [
            "applicationKey": .string(configuration.applicationKey), "challenge": .string(challenge),
        ]
        if scope == .activation { claims["activationId"] = .string(try requireActivation().id) }
        let token = try Self.keyRequest(claims: JSONValue.object(claims).bytes, key: keyRequestSecret(scope))
        let (answer, middle) = try askForKey(token, "/pa/v3/")
        return try readTemporaryKey(answer.text("jwt"), scope, echoing: claims, receivedAt: middle)
    }

    /// - Returns: the object of the answer, and the middle of the round trip by the device's own clock.
    func askForKey(_ token: String, _ root: String) throws -> (answer: JSONValue, middle: Int) {
        let before = localTime
        let response = try call(root + "keystore/create", ["jwt": .string(token)])
        guard let answer = response["responseObject"] else {
            throw DeviceError("the answer has no “responseObject”")
        }
        return (answer, before + (localTime - before) / 2)
    }

    /// The token of a request. JOSE would not sign with so short a secret, which is what the protocol asks for.
    static func keyRequest(
        claims: [UInt8], key: [UInt8], header: String = #"{"alg":"HS256","typ":"JWT"}"#
    ) -> String {
        let header = Base64URL.encode(Array(header.utf8))
        let input = header + "." + Base64URL.encode(claims)
        let code = Digest.sha256.authenticationCode(of: Array(input.utf8), key: key)
        return input + "." + Base64URL.encode(code)
    }

    private func keyRequestSecret(_ scope: Scope) throws -> [UInt8] {
        let secret = try configuration.secretBytes()
        return switch scope {
        case .application: secret
        case .activation: KeyArithmetic.deriveInternal(try requireActivation().ofThird().transportKey, secret)
        }
    }

    private func readTemporaryKey(
        _ token: String, _ scope: Scope, echoing sent: [String: JSONValue], receivedAt: Int
    ) throws -> TemporaryKey {
        let signer =
            switch scope {
            case .application: configuration.masterKey
            case .activation: try PublicKey(x962: requireActivation().ofThird().serverKey)
            }
        let verified = try JWS.verify(token, keys: [JWK(.publicKey(signer))])
        guard verified.header.algorithm == .es256, verified.header.type == "JWT" else {
            throw DeviceError("the temporary key is not in a JWT of ES256")
        }
        let claims = try JSONValue(parsing: verified.payload)
        for name in ["applicationKey", "activationId", "challenge"] where claims[name] != sent[name] {
            throw DeviceError("“\(name)” of the temporary key is not that of the request")
        }
        let (issued, expires) = try (claims.number("iat_ms"), claims.number("exp_ms"))
        guard try claims.number("iat") == issued / 1000, try claims.number("exp") == expires / 1000 else {
            throw DeviceError("the seconds of the temporary key are not its milliseconds")
        }
        let point = try Wire.bytes(claims.text("publicKey"), "publicKey")
        clockOffset = issued - receivedAt
        return TemporaryKey(
            id: try claims.text("sub"), .point(try PublicKey(x962: point)), expires: expires)
    }
}
