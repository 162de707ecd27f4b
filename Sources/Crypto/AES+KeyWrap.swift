import COpenSSL

extension AES {
    /// Encrypts `key` by a key-encryption key of 16, 24 or 32 bytes: 8 bytes longer than `key`. Source: RFC 3394 §2.2.1.
    ///
    /// - Throws: when `key` is shorter than 16 bytes or no multiple of 8.
    package static func wrap(_ key: [UInt8], by wrappingKey: [UInt8]) throws -> [UInt8] {
        guard key.count >= 16, key.count % 8 == 0 else {
            throw CryptoError(
                call: "wrap", message: "a key of \(key.count) bytes; 16, 24, 32 and so on can be wrapped")
        }
        return try wrapRun(wrappingKey, encrypts: true).update(key)
    }

    /// - Throws: when `wrapped` is not what ``wrap(_:by:)`` makes with this key, or was changed.
    package static func unwrap(_ wrapped: [UInt8], by wrappingKey: [UInt8]) throws -> [UInt8] {
        guard wrapped.count >= 24, wrapped.count % 8 == 0 else {
            throw CryptoError(
                call: "unwrap", message: "\(wrapped.count) bytes; a wrapped key has 24, 32, 40 and so on")
        }
        return try wrapRun(wrappingKey, encrypts: false).update(wrapped)
    }

    private static func wrapRun(_ wrappingKey: [UInt8], encrypts: Bool) throws -> CipherRun {
        // RFC 3394 §2.2.3.1: the initial value that shows later that the key is whole.
        let initial = [UInt8](repeating: 0xA6, count: 8)
        return try CipherRun(
            cipher("WRAP", wrappingKey, initial, count: initial.count), key: wrappingKey, iv: initial,
            encrypts: encrypts)
    }
}
