import Crypto
import DeviceKit
import Essentials

extension Protocol4 {
    /// Encrypts a request with a temporary secret, and decrypts its answer.
    struct Message: Sendable {
        let purpose: String
        let temporaryKeyID: String
        let secret: [UInt8]
        let configuration: (key: String, secret: [UInt8])
        /// The activation and its key for `sharedInfo2`; nil in application scope.
        let activation: (id: String, sharedInfo2: [UInt8])?
        /// 24 bytes, of which each half is used once.
        let nonce: [UInt8]

        func request(_ plaintext: [UInt8], milliseconds: Int) throws -> JSONValue {
            let sealed = try seal(
                plaintext, secret, context: context, iv: Array(nonce.prefix(12)),
                associated: associated(milliseconds))
            return [
                "temporaryKeyId": .string(temporaryKeyID), "encryptedData": .string(Base64.encode(sealed)),
                "nonce": .string(Base64.encode(nonce)), "timestamp": .integer(milliseconds),
            ]
        }

        /// - Throws: ``DeviceError`` when it is not the answer to this request.
        func answer(_ json: JSONValue?) throws -> [UInt8] {
            let sealed = try Wire.bytes(json?["encryptedData"]?.string, "encryptedData")
            guard let milliseconds = json?["timestamp"]?.integer else {
                throw DeviceError("“timestamp” is missing")
            }
            guard sealed.count >= 44, sealed.starts(with: nonce.suffix(12)) else {
                throw DeviceError("the answer does not begin with the second half of the nonce")
            }
            let (tag, ciphertext) = (Array(sealed[12..<44]), Array(sealed[44...]))
            let expected = try code(
                key(secret, "aead/mac", context), sealed[..<12] + associated(milliseconds) + ciphertext,
                "PA4MAC-AEAD")
            guard constantTimeEqual(tag, expected) else {
                throw DeviceError("the tag of the answer is wrong")
            }
            return try crypt(ciphertext, secret, context, iv: Array(sealed[..<12]))
        }

        private var context: [UInt8] { Array(version.utf8) + Array(purpose.utf8) + nonce }

        private func associated(_ milliseconds: Int) throws -> [UInt8] {
            let names = [version, configuration.key] + [activation?.id].compactMap { $0 } + [temporaryKeyID]
            let second =
                try activation.map { try code($0.sharedInfo2, configuration.secret, "PA4SH2") }
                ?? SHA3.bits256(configuration.secret)
            let time = KeyArithmetic.bigEndian(Int64(milliseconds))
            return KeyArithmetic.sized(names.map { Array($0.utf8) } + [time, nonce, second])
        }
    }

    /// IV, tag and ciphertext.
    static func seal(
        _ plaintext: [UInt8], _ secret: [UInt8], context: [UInt8], iv: [UInt8], associated: [UInt8]
    ) throws -> [UInt8] {
        let ciphertext = try crypt(plaintext, secret, context, iv: iv)
        let tag = try code(key(secret, "aead/mac", context), iv + associated + ciphertext, "PA4MAC-AEAD")
        return iv + tag + ciphertext
    }

    /// Encrypts and decrypts alike.
    private static func crypt(
        _ bytes: [UInt8], _ secret: [UInt8], _ context: [UInt8], iv: [UInt8]
    ) throws -> [UInt8] {
        try AES.applyCTR(bytes, key: key(secret, "aead/enc", context), counter: iv + KeyArithmetic.zeros(4))
    }
}
