import Crypto

extension OpenPGPMessage {
    /// A session key encrypted to one recipient. Source: RFC 4880 §5.1.
    struct Recipient {
        /// 8 bytes, all zero when the sender hides it.
        private let keyID: [UInt8]
        private let algorithm: UInt8
        /// What follows depends on the algorithm.
        private let content: [UInt8]

        init(_ body: [UInt8]) throws(OpenPGPError) {
            var reader = OpenPGP.Reader(body)
            let version = try reader.byte()
            guard version == 3 else {
                throw .malformed("an encrypted session key of version \(version) instead of 3")
            }
            keyID = try reader.bytes(8)
            algorithm = try reader.byte()
            content = reader.remainder()
        }

        /// For the journal.
        var name: String { isHidden ? "a hidden recipient" : Hex.encode(keyID).uppercased() }

        func mayBe(_ key: OpenPGPServerKey) -> Bool {
            algorithm == OpenPGP.Algorithm.rsa && (isHidden || keyID == key.encryptionKeyID)
        }

        func sessionKey(with key: OpenPGPServerKey) throws(OpenPGPError) -> OpenPGP.SessionKey {
            var reader = OpenPGP.Reader(content)
            guard case .rsa(let bits) = key.encryptionKey.kind,
                let encrypted = try OpenPGP.padded(reader.number(), to: (bits + 7) / 8),
                reader.isAtEnd,
                // The one error of `Crypto` says no more than the one thrown here.
                let encoded = try? key.encryptionKey.decryptPKCS1(encrypted)
            else { throw .sessionKeyUnreadable }
            return try OpenPGP.SessionKey(encoded: encoded)
        }

        private var isHidden: Bool { keyID.allSatisfy { $0 == 0 } }
    }
}
