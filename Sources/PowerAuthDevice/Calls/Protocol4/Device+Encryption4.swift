import Crypto
import DeviceKit
import Essentials

// Temporary secrets of protocol 4.0, and what is encrypted with them. Source: PowerAuth documentation 2.x, “End-To-End Encryption”.
extension Device {
    func seal4(_ plaintext: [UInt8], _ purpose: Purpose, breaksMAC: Bool) throws -> MessageExchange {
        let message = try message4(purpose, temporaryKey(purpose.scope))
        var request = try message.request(plaintext, milliseconds: now + faults.timeShift)
        if breaksMAC { request = try Self.broken(request) }
        if let id = faults.temporaryKeyID {
            var members = request.object ?? [:]
            members["temporaryKeyId"] = id.isEmpty ? nil : .string(id)
            request = .object(members)
        }
        return MessageExchange(message: message, request: request)
    }

    func message4(_ purpose: Purpose, _ temporary: TemporaryKey) throws -> Protocol4.Message {
        let holder = try purpose.scope == .activation ? requireActivation() : nil
        return Protocol4.Message(
            purpose: faults.purpose ?? purpose.rawValue, temporaryKeyID: temporary.id,
            secret: try temporary.secret(),
            configuration: (configuration.applicationKey, try configuration.secretBytes()),
            activation: try holder.map { ($0.id, try $0.ofFourth().sharedInfo2Key) }, nonce: draw(24))
    }

    /// With another tag.
    private static func broken(_ request: JSONValue) throws -> JSONValue {
        var members = request.object ?? [:]
        var sealed = try Wire.bytes(members["encryptedData"]?.string, "encryptedData")
        sealed[12] ^= 1
        members["encryptedData"] = .string(Base64.encode(sealed))
        return .object(members)
    }

    func fetchTemporarySecret(_ scope: Scope) throws -> TemporaryKey {
        let holder = try scope == .activation ? requireActivation() : nil
        guard let algorithm = try holder?.ofFourth().algorithm ?? algorithm else {
            throw DeviceError("the app is not configured for protocol 4.0")
        }
        let exchange = try Protocol4.SecretExchange(algorithm, drawing: draw)
        var claims: [String: JSONValue] = [
            "applicationKey": .string(configuration.applicationKey),
            "challenge": .string(Base64.encode(draw(32))), "sharedSecretRequest": try exchange.request(),
        ]
        claims["activationId"] = holder.map { .string($0.id) }
        let secret = try configuration.secretBytes()
        let key =
            try holder?.ofFourth().temporaryKeyRequestKey
            ?? Protocol4.temporaryKeyRequestKey(applicationSecret: secret)
        let signed = JSONValue.object(claims).bytes
        let token = Self.keyRequest(
            claims: try faults.claims?(signed) ?? signed, key: key, header: #"{"alg":"HS256"}"#)
        let (answer, middle) = try askForKey(token, "/pa/v4/")
        let told = try Protocol4.SignedAnswer.claims(
            Self.jws(answer["jwt"]),
            by: holder?.ofFourth().serverKeys() ?? configuration.masterKeys(of: algorithm))
        for name in ["applicationKey", "activationId", "challenge"] where told[name] != claims[name] {
            throw DeviceError("“\(name)” of the temporary key is not that of the request")
        }
        let shared = try exchange.secret(told["sharedSecretResponse"])
        let expires = try told.number("expiration")
        clockOffset = try told.number("serverTime") - middle
        return TemporaryKey(id: try told.text("keyId"), .secret(shared), expires: expires)
    }

    /// A text that holds JSON, or the JSON itself: what servers send is not settled.
    private static func jws(_ value: JSONValue?) throws -> JSONValue {
        guard let value else { throw DeviceError("“jwt” is missing") }
        return try value.string.map { try JSONValue(parsing: Array($0.utf8)) } ?? value
    }
}
