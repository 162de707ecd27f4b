import Crypto

/// Seeds from which a recovery code and its PUKs follow, so that cards can be printed elsewhere.
package struct RecoverySeed: Sendable {
    package let code: ActivationCode
    private let key: SecretKey

    /// - Parameter nonce: drawn for each card.
    package init(secret: SecretKey, nonce: [UInt8]) throws {
        try self.init(secret: secret.bytes, nonce: nonce)
    }

    /// - Parameter secret: agreed with the one who prints the cards.
    init(secret: [UInt8], nonce: [UInt8]) throws {
        let derived = KeyDerivation.x963(.sha256, secret: secret, info: nonce, count: 26)
        code = try ActivationCode(random: Array(derived.prefix(10)))
        key = try SecretKey(Array(derived.suffix(16)))
    }

    /// Ten decimal digits.
    package func puk(_ index: UInt64) throws -> String {
        let number = try key.derived(index).bytes.suffix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let text = String(number % 10_000_000_000)
        return String(repeating: "0", count: 10 - text.count) + text
    }
}
