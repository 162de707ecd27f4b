import COpenSSL

extension PrivateKey {
    /// Makes a new key: 2,048 bits of RSA take some 200 ms, a key on a curve far below one.
    package static func generate(_ kind: KeyKind) throws -> PrivateKey {
        let key =
            switch kind {
            case .rsa(let bits): crypto_generate_rsa(bits)
            case .ec(let curve): crypto_generate_ec(curve.rawValue)
            case .ed25519: crypto_generate_ed25519()
            }
        return try PrivateKey(KeyHandle(owning: require(key, "EVP_PKEY_Q_keygen")))
    }
}
