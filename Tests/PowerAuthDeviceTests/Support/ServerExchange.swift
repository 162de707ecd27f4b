import Crypto
import DeviceKit
import Essentials

@testable import PowerAuthDevice

/// The server's side of one encrypted exchange.
struct ServerExchange {
    let plaintext: JSONValue
    private let server: ServerHalf
    private let keys: EnvelopeKeys
    private let context: EnvelopeContext
    private let nonce: [UInt8]

    init(
        _ server: ServerHalf, _ json: JSONValue, _ purpose: Purpose, _ version: Device.Version
    ) throws {
        self.server = server
        let ephemeral = try Wire.bytes(json["ephemeralPublicKey"]?.string, "ephemeralPublicKey")
        let permanent = purpose.scope == .application ? server.master : server.own
        let key = version == .v33 ? server.temporary : permanent
        keys = EnvelopeKeys(
            secret: try key.sharedSecret(with: PublicKey(x962: ephemeral)), purpose, ephemeral: ephemeral,
            version)
        var context = EnvelopeContext(
            version: version, applicationKey: ServerHalf.applicationKey,
            applicationSecret: ServerHalf.applicationSecret, temporaryKeyID: json["temporaryKeyId"]?.string)
        if purpose.scope == .activation {
            context.activation = (
                ServerHalf.activationID, try KeyArithmetic.derive(server.masterSecret, 1000)
            )
        }
        self.context = context
        nonce = try json["nonce"].map { try Wire.bytes($0.string, "nonce", count: 16) } ?? []
        let ciphertext = try Wire.bytes(json["encryptedData"]?.string, "encryptedData")
        let authenticated = context.authenticated(
            nonce: nonce, timestamp: json["timestamp"]?.integer ?? 0, ephemeral: ephemeral)
        let mac = Digest.sha256.authenticationCode(of: ciphertext + authenticated, key: keys.authentication)
        guard try mac == Wire.bytes(json["mac"]?.string, "mac") else {
            throw DeviceError("the request's MAC")
        }
        let iv = version == .v30 ? KeyArithmetic.zeros(16) : KeyArithmetic.deriveInternal(keys.iv, nonce)
        plaintext = try JSONValue(parsing: AES.decryptCBC(ciphertext, key: keys.encryption, iv: iv))
    }

    func sealed(_ answer: JSONValue) throws -> JSONValue {
        let isNew = context.version >= .v32
        let own = isNew && server.mistake != .nonceRepeated ? server.chance.draw(16) : nonce
        let iv =
            context.version == .v30 ? KeyArithmetic.zeros(16) : KeyArithmetic.deriveInternal(keys.iv, own)
        let ciphertext = try AES.encryptCBC(answer.bytes, key: keys.encryption, iv: iv)
        let authenticated = context.authenticated(
            nonce: own, timestamp: isNew ? server.now : 0, ephemeral: [])
        var mac = Digest.sha256.authenticationCode(of: ciphertext + authenticated, key: keys.authentication)
        if server.mistake == .macWrong { mac[31] ^= 1 }
        let hasExtra = isNew || server.mistake == .nonceInOldVersion
        return SealedMessage(
            ciphertext: ciphertext, mac: mac, nonce: hasExtra ? own : nil,
            timestamp: isNew && server.mistake != .timeMissing ? server.now : nil
        ).json
    }

    func answer(_ answer: JSONValue) throws -> DeviceResponse {
        var json = try sealed(answer)
        if server.mistake == .envelopeAround { json = ["status": "OK", "responseObject": json] }
        return DeviceResponse(status: server.mistake == .status201 ? 201 : 200, body: json.bytes)
    }
}
