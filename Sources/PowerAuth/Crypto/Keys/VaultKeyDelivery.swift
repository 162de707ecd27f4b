import Crypto

/// The answer to a request to unlock the vault.
package enum VaultKeyDelivery {
    /// `encryptedVaultEncryptionKey`, 32 bytes: a whole block of padding follows the key.
    package static func encrypted(_ keys: DerivedKeys) throws -> [UInt8] {
        try AES.encryptCBC(
            keys.vault.bytes, key: keys.transport.bytes, iv: [UInt8](repeating: 0, count: 16))
    }
}
