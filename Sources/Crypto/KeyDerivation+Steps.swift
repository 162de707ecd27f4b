extension KeyDerivation {
    /// The first step of HKDF: a key as long as the hash. Source: RFC 5869 §2.2.
    ///
    /// - Parameter salt: none counts as zeros, as many as the hash has bytes, which HMAC makes of an empty key by itself.
    package static func hkdfExtract(_ digest: Digest, salt: [UInt8], secret: [UInt8]) -> [UInt8] {
        digest.authenticationCode(of: secret, key: salt)
    }

    /// The second step. Source: RFC 5869 §2.3.
    ///
    /// - Throws: for more than 255 hashes.
    package static func hkdfExpand(
        _ digest: Digest, key: [UInt8], info: [UInt8], count: Int
    ) throws -> [UInt8] {
        guard 0...(255 * digest.count) ~= count else {
            throw CryptoError(call: "HKDF", message: "\(count) bytes; at most \(255 * digest.count)")
        }
        var (bytes, block, number): ([UInt8], [UInt8], UInt8) = ([], [], 0)
        while bytes.count < count {
            number += 1
            block = digest.authenticationCode(of: block + info + [number], key: key)
            bytes += block
        }
        return Array(bytes.prefix(count))
    }
}
