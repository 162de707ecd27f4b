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
