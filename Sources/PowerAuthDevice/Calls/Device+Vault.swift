import Crypto
package import Essentials
import JOSE

extension Device {
    /// Why the vault is opened, as the real kits write it.
    package enum VaultReason: String, Sendable {
        case addBiometry = "ADD_BIOMETRY"
        case fetchEncryptionKey = "FETCH_ENCRYPTION_KEY"
        case signWithDeviceKey = "SIGN_WITH_DEVICE_PRIVATE_KEY"
        case recoveryCode = "RECOVERY_CODE"
    }

    /// `vault/unlock`: the 16 bytes of the vault's key; in protocol 4.0 the 32 below which the app's own keys are.
    ///
    /// - Throws: ``DeviceError`` also when the key is not the one that both sides share.
    @discardableResult
    package func unlockVault(reason: String?, with credential: Credential) throws -> [UInt8] {
        try isOfFourth
            ? vaultKey4(.applicationTwoFactors, reason: reason, with: credential)
            : openVault(reason, credential).key
    }

    /// A key of the app's own, the same whenever it is asked for. In protocol 4.0 the app makes its keys below that of
    /// ``unlockVault(reason:with:)``.
    package func vaultKey(index: UInt64, with credential: Credential) throws -> [UInt8] {
        try KeyArithmetic.derive(openVault(VaultReason.fetchEncryptionKey.rawValue, credential).key, index)
    }

    /// Sets up biometry on a device that was activated without; in protocol 4.0 also anew.
    package func addBiometry(pin: String) throws {
        if isOfFourth { return try addBiometry4(pin: pin) }
        let vault = try openVault(VaultReason.addBiometry.rawValue, .pin(pin))
        activation?.biometryKey = try KeyArithmetic.derive(vault.masterSecret, 3)
    }

    /// The signature of the device's key, in DER.
    package func signWithDeviceKey(_ data: [UInt8], with credential: Credential) throws -> [UInt8] {
        if isOfFourth { return try deviceSignature4(of: data, with: credential) }
        let vault = try openVault(VaultReason.signWithDeviceKey.rawValue, credential)
        return try ECSignature.der(fromRaw: vault.deviceKey.sign(data, with: .es256), .p256)
    }

    /// A JWT that the device's key signed: of ES256, in protocol 4.0 of ES384.
    package func signedJWT(_ claims: JSONValue, with credential: Credential) throws -> String {
        if isOfFourth { return try signedJWT4(claims, with: credential) }
        let vault = try openVault(VaultReason.signWithDeviceKey.rawValue, credential)
        return try JWS.sign(
            claims.bytes, header: JWSHeader(.es256, type: "JWT"), key: .privateKey(vault.deviceKey))
    }

    /// Locks the knowledge key by another PIN. In protocol 3.x the server is not asked, so a wrong PIN loses the key; in 4.0 the key
    /// becomes another one, which the server helps to make.
    package func changePIN(from pin: String, to newPIN: String) throws {
        if isOfFourth { return try changePIN4(from: pin, to: newPIN) }
        let key = try requireActivation().knowledgeKey
        activation?.knowledgeKey = try key.relocked(from: pin, to: newPIN, salt: draw(16))
    }

    private func openVault(_ reason: String?, _ credential: Credential) throws -> Vault {
        let request = JSONValue.object(reason.map { ["reason": .string($0)] } ?? [:])
        let answer = try JSONValue(
            parsing: encryptedCall(
                "/pa/v3/vault/unlock", style.json(request), .vault,
                signing: .transmitted(uriID: "/pa/vault/unlock", credential)))
        let name = "encryptedVaultEncryptionKey"
        let sealed = try Wire.bytes(answer[name]?.string, name, count: 32)
        let activation = try requireActivation()
        let key = try AES.decryptCBC(
            sealed, key: activation.ofThird().transportKey, iv: KeyArithmetic.zeros(16))
        return try Vault(key: key, of: activation)
    }
}
