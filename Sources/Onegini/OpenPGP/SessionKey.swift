import Crypto

extension OpenPGP {
    /// The key of one message, and its cipher.
    struct SessionKey {
        let cipher: Cipher
        let key: [UInt8]

        init(cipher: Cipher, key: [UInt8]) {
            self.cipher = cipher
            self.key = key
        }

        /// Reads the form of RFC 4880 §5.1: the cipher, the key, the sum of the key's bytes.
        init(encoded: [UInt8]) throws(OpenPGPError) {
            guard let algorithm = encoded.first, encoded.count >= 3 else { throw .sessionKeyUnreadable }
            let key = Array(encoded.dropFirst().dropLast(2))
            guard Self.sum(key) == Array(encoded.suffix(2)) else { throw .sessionKeyUnreadable }
            guard let cipher = Cipher(rawValue: algorithm) else { throw .cipher(algorithm) }
            guard key.count == cipher.keyCount else { throw .sessionKeyUnreadable }
            self.init(cipher: cipher, key: key)
        }

        var encoded: [UInt8] { [cipher.rawValue] + key + Self.sum(key) }

        /// 2 bytes
        private static func sum(_ key: [UInt8]) -> [UInt8] {
            OpenPGP.bytes(of: key.reduce(0) { $0 + Int($1) }, count: 2)
        }
    }
}
