import Crypto
import DeviceKit
import Essentials
import PostQuantum

// The vault and the keys of factors in protocol 4.0. Source: PowerAuth documentation 2.x, “Secure vault”, “Dynamic factor keys”.
extension Device {
    /// What the vault keeps for the device.
    package enum VaultKey: String, Sendable {
        case devicePrivate = "KEK_DEVICE_PRIVATE"
        case applicationTwoFactors = "KDK_APP_VAULT_2FA"
        /// With the PIN alone.
        case applicationKnowledge = "KDK_APP_VAULT_KNOWLEDGE"
    }

    /// `vault/unlock`: 32 bytes.
    package func vaultKey4(
        _ key: VaultKey, reason: String?, with credential: Credential
    ) throws -> [UInt8] {
        var request: [String: JSONValue] = ["keyIdentifier": .string(key.rawValue)]
        request["reason"] = reason.map(JSONValue.string)
        let answer = try JSONValue(
            parsing: encryptedCall(
                "/pa/v4/vault/unlock", style.json(.object(request)), .vault,
                signing: .transmitted(uriID: "/pa/vault/unlock", credential)))
        return try Wire.bytes(answer["vaultEncryptionKey"]?.string, "vaultEncryptionKey", count: 32)
    }

    /// `password/change`: another key of knowledge, locked by the new PIN. The server takes the old one too until it has seen a code of
    /// the new one.
    func changePIN4(from pin: String, to newPIN: String) throws {
        try exchangeKnowledge(from: pin, to: newPIN)
        try validate(reason: "CONFIRM_NEW_PASSWORD", with: .pin(newPIN))
    }

    /// `password/change` alone.
    package func exchangeKnowledge(from pin: String, to newPIN: String) throws {
        // One that cannot be is not found out after the exchange.
        _ = try Protocol4.pinKey(newPIN, salt: [])
        let key = try newFactorKey("/pa/v4/password/change", .password, pin: pin)
        activation?.knowledgeKey = try LockedKey(key, pin: newPIN, salt: draw(32), iv: draw(16))
    }

    /// `biometry/add`: a first key of biometry, or another one.
    func addBiometry4(pin: String) throws {
        try exchangeBiometry(pin: pin)
        try validate(reason: "CONFIRM_BIOMETRY_ADD", with: .biometry)
    }

    /// `biometry/add` alone.
    package func exchangeBiometry(pin: String) throws {
        let key = try newFactorKey("/pa/v4/biometry/add", .biometry, pin: pin)
        activation?.biometryKey = key
    }

    /// `biometry/remove`: the server takes no code of biometry from now on. In protocol 3.x it is not asked.
    package func removeBiometry() throws {
        if isOfFourth {
            try signedCall("/pa/v4/biometry/remove", uriID: "/pa/biometry/remove", with: .possession)
        }
        activation?.biometryKey = nil
    }

    private func newFactorKey(_ path: String, _ purpose: Purpose, pin: String) throws -> [UInt8] {
        let exchange = try Protocol4.SecretExchange(requireActivation().ofFourth().algorithm, drawing: draw)
        let answer = try JSONValue(
            parsing: encryptedCall(
                path, style.json(exchange.request()), purpose,
                signing: .transmitted(uriID: purpose.rawValue, .pin(pin))))
        return try exchange.secret(answer)
    }

    private func deviceKeys(with credential: Credential) throws -> DeviceKeys {
        let key = try vaultKey4(
            .devicePrivate, reason: VaultReason.signWithDeviceKey.rawValue, with: credential)
        return try requireActivation().ofFourth().opened(by: key)
    }

    /// ECDSA over P-384, in DER.
    func deviceSignature4(of data: [UInt8], with credential: Credential) throws -> [UInt8] {
        try ECSignature.der(fromRaw: deviceKeys(with: credential).point.sign(data, with: .es384), .p384)
    }

    /// The signature of the device's second key, of ML-DSA.
    ///
    /// - Throws: ``DeviceError`` also in a suite that has none.
    package func secondDeviceSignature(of data: [UInt8], with credential: Credential) throws -> [UInt8] {
        guard let second = try deviceKeys(with: credential).second else {
            throw DeviceError("the activation has no key of ML-DSA")
        }
        return try second.sign(data, randomness: draw(32))
    }

    func signedJWT4(_ claims: JSONValue, with credential: Credential) throws -> String {
        let key = try deviceKeys(with: credential).point
        let input =
            Base64URL.encode(Array(#"{"alg":"ES384","typ":"JWT"}"#.utf8)) + "."
            + Base64URL.encode(claims.bytes)
        return try input + "." + Base64URL.encode(key.sign(Array(input.utf8), with: .es384))
    }
}
