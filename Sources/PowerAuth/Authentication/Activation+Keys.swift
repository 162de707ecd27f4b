extension Activation {
    /// The keys that follow from the master secret; nil before the key exchange.
    func derivedKeys() throws -> DerivedKeys? {
        try masterSecret.map { try DerivedKeys(MasterSecret(SecretKey($0))) }
    }

    /// Those of authentication codes alone: fewer to derive.
    func factorKeys() throws -> FactorKeys? {
        guard let masterSecret else { return nil }
        let key = try SecretKey(masterSecret)
        return try FactorKeys(
            possession: key.derived(1), knowledge: key.derived(2), biometry: key.derived(3))
    }
}
