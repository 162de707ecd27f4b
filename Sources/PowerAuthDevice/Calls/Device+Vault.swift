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

    /// `/pa/v3/vault/unlock`: the 16 bytes of the vault's key.
    ///
    /// - Throws: ``DeviceError`` also when the key is not the one that both sides share.
    @discardableResult
    package func unlockVault(reason: String?, with credential: Credential) throws -> [UInt8] {
        try openVault(reason, credential).key
    }

    /// A key of the app's own, the same whenever it is asked for.
    package func vaultKey(index: UInt64, with credential: Credential) throws -> [UInt8] {
        try KeyArithmetic.derive(openVault(VaultReason.fetchEncryptionKey.rawValue, credential).key, index)
    }

    /// Sets up biometry on a device that was activated without.
    package func addBiometry(pin: String) throws {
        let vault = try openVault(VaultReason.addBiometry.rawValue, .pin(pin))
        activation?.biometryKey = try KeyArithmetic.derive(vault.masterSecret, 3)
    }

    /// The signature of the device's key, in DER.
    package func signWithDeviceKey(_ data: [UInt8], with credential: Credential) throws -> [UInt8] {
        let vault = try openVault(VaultReason.signWithDeviceKey.rawValue, credential)
        return try ECSignature.der(fromRaw: vault.deviceKey.sign(data, with: .es256), .p256)
    }

    /// A JWT of ES256 that the device's key signed.
    package func signedJWT(_ claims: JSONValue, with credential: Credential) throws -> String {
        let vault = try openVault(VaultReason.signWithDeviceKey.rawValue, credential)
        return try JWS.sign(
            claims.bytes, header: JWSHeader(.es256, type: "JWT"), key: .privateKey(vault.deviceKey))
    }

    /// Locks the knowledge key by another PIN; the server is not asked, so a wrong PIN loses the key.
    package func changePIN(from pin: String, to newPIN: String) throws {
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
        let key = try AES.decryptCBC(sealed, key: activation.transportKey, iv: KeyArithmetic.zeros(16))
        return try Vault(key: key, of: activation)
    }
}
