import Crypto

/// The functions that make keys out of keys. Source: PowerAuth documentation, “Basic Definitions” and “Key Derivation”.
enum KeyArithmetic {
    /// The first half xor the second.
    static func fold(_ bytes: [UInt8]) -> [UInt8] {
        zip(bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count / 2)).map { $0 ^ $1 }
    }

    /// The secret of both sides: 16 bytes.
    static func masterSecret(_ key: PrivateKey, _ peer: PublicKey) throws -> [UInt8] {
        fold(try key.sharedSecret(with: peer))
    }

    /// The key of that number below a key of 16 bytes: one block of AES, the number in its last eight bytes.
    static func derive(_ key: [UInt8], _ index: UInt64) throws -> [UInt8] {
        try AES.encryptBlock(zeros(8) + bigEndian(index), key: key)
    }

    static func deriveInternal(_ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
        fold(Digest.sha256.authenticationCode(of: data, key: key))
    }

    /// Each part behind its length in four bytes.
    static func sized(_ parts: [[UInt8]]) -> [UInt8] {
        parts.flatMap { bigEndian(UInt32($0.count)) + $0 }
    }

    /// The last four bytes as a positive number, its last digits.
    static func decimal(_ bytes: [UInt8], digits: Int) -> String {
        let number = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number)
        return String((String(repeating: "0", count: digits) + text).suffix(digits))
    }

    static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
