import Crypto

/// The pseudo-random function of a credential for users who were verified. Source: FIDO CTAP 2.1 §12.5, `hmac-secret`.
struct HMACSecret {
    /// `CredRandomWithUV`, 32 bytes.
    let credRandom: [UInt8]

    /// The output for each salt, 32 bytes each.
    func outputs(_ salts: [[UInt8]]) -> [[UInt8]] {
        salts.map { Digest.sha256.authenticationCode(of: $0, key: credRandom) }
    }
}

/// How client and authenticator keep salts and outputs secret between each other: PIN/UV auth protocol two. What the authenticator
/// encrypts stands in authenticator data, where a relying party sees it. Source: FIDO CTAP 2.1 §6.5.6 and §6.5.7.
struct PINProtocolTwo {
    let sharedSecret: [UInt8]

    /// - Parameters:
    ///   - key: of the one side, on P-256.
    ///   - peer: of the other.
    init(_ key: PrivateKey, _ peer: PublicKey) throws {
        let point = try key.sharedSecret(with: peer)
        func derive(_ info: String) throws -> [UInt8] {
            try KeyDerivation.hkdf(
                .sha256, secret: point, salt: [UInt8](repeating: 0, count: 32), info: Array(info.utf8),
                count: 32)
        }
        sharedSecret = try derive("CTAP2 HMAC key") + derive("CTAP2 AES key")
    }

    /// - Parameters:
    ///   - plaintext: whole blocks of 16 bytes.
    ///   - iv: 16 bytes, which the result begins with.
    func encrypt(_ plaintext: [UInt8], iv: [UInt8]) throws -> [UInt8] {
        iv + (try AES.encryptCBC(plaintext, key: Array(sharedSecret.suffix(32)), iv: iv, padding: false))
    }
}
