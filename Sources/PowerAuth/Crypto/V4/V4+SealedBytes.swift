import Crypto

extension V4 {
    /// Authenticated encryption by AES-256 in counter mode and KMAC: an IV of 12 bytes, a tag of 32, the ciphertext.
    struct SealedBytes: Sendable, Equatable {
        static let ivCount = 12
        private static let headCount = ivCount + keyCount

        let bytes: [UInt8]

        /// - Parameters:
        ///   - context: goes into the keys.
        ///   - associated: goes into the tag, as it is.
        static func seal(
            _ plaintext: [UInt8], key: [UInt8], context: [UInt8], iv: [UInt8], associated: [UInt8]
        ) throws -> SealedBytes {
            let ciphertext = try crypt(plaintext, key, context, iv)
            let tag = try tag(key, context, iv + associated + ciphertext)
            return SealedBytes(bytes: iv + tag + ciphertext)
        }

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// `nil` when the bytes are too few to have one.
        var iv: [UInt8]? { bytes.count >= Self.headCount ? Array(bytes[..<Self.ivCount]) : nil }

        /// - Throws: ``ProtocolFault`` when it was sealed by another key, for something else, or changed.
        func open(key: [UInt8], context: [UInt8], associated: [UInt8]) throws -> [UInt8] {
            guard let iv else {
                throw ProtocolFault.malformed(
                    part: "encryptedData", expected: "44 bytes or more", got: "\(bytes.count) bytes")
            }
            let ciphertext = Array(bytes[Self.headCount...])
            let expected = try Self.tag(key, context, iv + associated + ciphertext)
            guard constantTimeEqual(expected, Array(bytes[Self.ivCount..<Self.headCount])) else {
                throw ProtocolFault.wrong(part: "the tag of encryptedData")
            }
            return try Self.crypt(ciphertext, key, context, iv)
        }

        /// Whether its tag is right by keys that are derived in another reading.
        func fits(
            _ reading: DerivationReading, key: [UInt8], context: [UInt8], associated: [UInt8]
        ) throws -> Bool {
            guard let iv else { return false }
            let key = try reading.derive(key, "aead/mac", diversifier: context)
            let expected = try mac(iv + associated + bytes[Self.headCount...], key, for: .envelopeTag)
            return constantTimeEqual(expected, Array(bytes[Self.ivCount..<Self.headCount]))
        }

        private static func crypt(
            _ bytes: [UInt8], _ key: [UInt8], _ context: [UInt8], _ iv: [UInt8]
        ) throws -> [UInt8] {
            try AES.applyCTR(
                bytes, key: derive(key, "aead/enc", diversifier: context), counter: iv + [0, 0, 0, 0])
        }

        private static func tag(
            _ key: [UInt8], _ context: [UInt8], _ bytes: [UInt8]
        ) throws -> [UInt8] {
            try mac(bytes, derive(key, "aead/mac", diversifier: context), for: .envelopeTag)
        }
    }
}
