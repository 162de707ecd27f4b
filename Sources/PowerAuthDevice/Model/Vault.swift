import Crypto
import DeviceKit

/// What the server's key of the vault opens: the device's private key, and the secret that both sides share.
struct Vault {
    /// Number of the vault's key below the master secret.
    static let index: UInt64 = 2000

    let key: [UInt8]
    let deviceKey: PrivateKey
    let masterSecret: [UInt8]

    /// - Throws: ``DeviceError`` when the key is not that of the activation.
    init(key: [UInt8], of activation: Activation) throws {
        let keys = try activation.ofThird()
        let scalar: [UInt8]
        do {
            scalar = try AES.decryptCBC(keys.sealedDeviceKey, key: key, iv: KeyArithmetic.zeros(16))
        } catch {
            throw DeviceError("the key of the vault does not open the device's key")
        }
        let deviceKey = try PrivateKey(scalar: scalar)
        guard try deviceKey.publicKey.x962(compressed: false) == keys.deviceKey else {
            throw DeviceError("the key of the vault opens another device's key")
        }
        masterSecret = try KeyArithmetic.masterSecret(deviceKey, PublicKey(x962: keys.serverKey))
        guard try KeyArithmetic.derive(masterSecret, Self.index) == key else {
            throw DeviceError("the key of the vault is not the one below the master secret")
        }
        self.key = key
        self.deviceKey = deviceKey
    }

    static func seal(_ deviceKey: PrivateKey, with key: [UInt8]) throws -> [UInt8] {
        try AES.encryptCBC(deviceKey.ecSecret(), key: key, iv: KeyArithmetic.zeros(16))
    }
}
