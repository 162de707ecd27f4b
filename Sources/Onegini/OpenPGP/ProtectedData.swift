import Crypto

extension OpenPGP {
    /// The body of a packet of encrypted data with an integrity check, version 1. Source: RFC 4880 §5.13.
    enum ProtectedData {
        /// The head of the last packet inside, whose body is a SHA-1 of all before it.
        private static let checkHead: [UInt8] = [0xD3, 0x14]
        private static let blockCount = 16
        private static let iv = [UInt8](repeating: 0, count: blockCount)

        /// - Parameter prefix: 16 bytes of chance.
        static func seal(
            _ packets: [UInt8], _ session: SessionKey, prefix: [UInt8]
        ) throws(OpenPGPError) -> [UInt8] {
            let plain = prefix + prefix.suffix(2) + packets + checkHead
            let encrypted = try OpenPGP.compute {
                try AES.encryptCFB(plain + Digest.sha1(plain), key: session.key, iv: iv)
            }
            return [1] + encrypted
        }

        /// The packets inside.
        ///
        /// The repeated bytes of the prefix are not compared: the check tells as much, and an answer about them alone would
        /// help to decrypt (RFC 4880 §14).
        static func open(_ body: [UInt8], _ session: SessionKey) throws(OpenPGPError) -> [UInt8] {
            guard body.first == 1 else { throw .newerProtection }
            let plain = try OpenPGP.compute {
                try AES.decryptCFB(Array(body.dropFirst()), key: session.key, iv: iv)
            }
            let (prefixCount, checkCount) = (blockCount + 2, checkHead.count + Digest.sha1.count)
            guard plain.count >= prefixCount + checkCount else { throw .modified }
            let covered = Array(plain.dropLast(Digest.sha1.count))
            let isWhole = constantTimeEqual(Digest.sha1(covered), Array(plain.suffix(Digest.sha1.count)))
            guard isWhole, covered.suffix(checkHead.count).elementsEqual(checkHead) else { throw .modified }
            return Array(covered.dropFirst(prefixCount).dropLast(checkHead.count))
        }
    }
}
