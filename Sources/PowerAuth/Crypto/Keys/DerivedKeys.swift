package import Crypto

/// The keys of an activation, which follow from the master secret.
package struct DerivedKeys: Sendable, Equatable {
    package let factors: FactorKeys
    /// KEY_TRANSPORT: status, envelopes, delivery of the vault key, requests for temporary keys.
    package let transport: SecretKey
    /// KEY_ENCRYPTION_VAULT: encrypts the private key that is kept on the device.
    package let vault: SecretKey

    package init(_ secret: MasterSecret) throws {
        factors = try FactorKeys(
            possession: secret.key.derived(1), knowledge: secret.key.derived(2),
            biometry: secret.key.derived(3))
        transport = try secret.key.derived(1000)
        vault = try secret.key.derived(2000)
    }
}

/// What the server and one device share: the folded result of their key agreement.
package struct MasterSecret: Sendable, Equatable {
    package let key: SecretKey

    package init(_ key: SecretKey) {
        self.key = key
    }

    /// - Throws: ``CryptoError`` unless both keys are on one curve.
    package init(own: SecretScalar, peer: CurvePoint) throws {
        key = SecretKey(folding: try own.sharedSecret(with: peer))
    }
}

/// The keys by which the factors of an authentication code are shown.
package struct FactorKeys: Sendable, Equatable {
    package let possession: SecretKey
    package let knowledge: SecretKey
    package let biometry: SecretKey

    package init(possession: SecretKey, knowledge: SecretKey, biometry: SecretKey) {
        self.possession = possession
        self.knowledge = knowledge
        self.biometry = biometry
    }

    package subscript(_ factor: AuthenticationFactor) -> SecretKey {
        switch factor {
        case .possession: possession
        case .knowledge: knowledge
        case .biometry: biometry
        }
    }
}

/// What a token's digests are made with: 16 bytes.
package struct TokenSecret: Sendable, Equatable {
    package let key: SecretKey

    /// - Parameter random: 16 bytes.
    package init(_ random: [UInt8]) throws {
        key = try SecretKey(random)
    }
}

/// The answer to a request to unlock the vault.
package enum VaultKeyDelivery {
    /// `encryptedVaultEncryptionKey`, 32 bytes: a whole block of padding follows the key.
    package static func encrypted(_ keys: DerivedKeys) throws -> [UInt8] {
        try AES.encryptCBC(
            keys.vault.bytes, key: keys.transport.bytes, iv: [UInt8](repeating: 0, count: 16))
    }
}
