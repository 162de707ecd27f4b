import COpenSSL

/// AES with a key of 16, 24 or 32 bytes.
package enum AES {
    /// A message encrypted by GCM and the tag that authenticates it.
    package struct Sealed: Sendable, Equatable {
        package let ciphertext: [UInt8]
        /// 16 bytes
        package let tag: [UInt8]

        package init(ciphertext: [UInt8], tag: [UInt8]) {
            self.ciphertext = ciphertext
            self.tag = tag
        }
    }

    private static let blockCount = 16

    /// CBC, with the padding of PKCS #7 unless switched off. Source: NIST SP 800-38A §6.2.
    package static func encryptCBC(
        _ plaintext: [UInt8], key: [UInt8], iv: [UInt8], padding: Bool = true
    ) throws -> [UInt8] {
        let run = try CipherRun(cipher("CBC", key, iv, count: blockCount), key: key, iv: iv, encrypts: true)
        run.setPadding(padding)
        return try run.update(plaintext) + run.finish()
    }

    /// - Throws: also when the padding is wrong.
    package static func decryptCBC(
        _ ciphertext: [UInt8], key: [UInt8], iv: [UInt8], padding: Bool = true
    ) throws -> [UInt8] {
        let run = try CipherRun(cipher("CBC", key, iv, count: blockCount), key: key, iv: iv, encrypts: false)
        run.setPadding(padding)
        return try run.update(ciphertext) + run.finish()
    }

    /// One block of 16 bytes, enciphered by itself. Source: FIPS 197.
    package static func encryptBlock(_ block: [UInt8], key: [UInt8]) throws -> [UInt8] {
        guard block.count == blockCount else {
            throw CryptoError(call: "AES", message: "a block of \(block.count) bytes instead of 16")
        }
        // The first block of CBC with an IV of zeros is the cipher alone.
        return try encryptCBC(
            block, key: key, iv: [UInt8](repeating: 0, count: blockCount), padding: false)
    }

    /// GCM with a nonce of 12 bytes and a tag of 16. Source: NIST SP 800-38D §7.1.
    package static func sealGCM(
        _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], authenticating associated: [UInt8] = []
    ) throws -> Sealed {
        let run = try CipherRun(cipher("GCM", key, nonce, count: 12), key: key, iv: nonce, encrypts: true)
        try run.authenticate(associated)
        let ciphertext = try run.update(plaintext) + run.finish()
        return try Sealed(ciphertext: ciphertext, tag: run.tag(count: blockCount))
    }

    /// - Throws: when the tag is not that of the ciphertext, the nonce and the associated data.
    package static func openGCM(
        _ sealed: Sealed, key: [UInt8], nonce: [UInt8], authenticating associated: [UInt8] = []
    ) throws -> [UInt8] {
        let run = try CipherRun(cipher("GCM", key, nonce, count: 12), key: key, iv: nonce, encrypts: false)
        guard sealed.tag.count == blockCount else {
            throw CryptoError(call: "GCM", message: "a tag of \(sealed.tag.count) bytes instead of 16")
        }
        try run.authenticate(associated)
        let plaintext = try run.update(sealed.ciphertext)
        try run.setTag(sealed.tag)
        return try plaintext + run.finish()
    }

    /// CFB with a feedback of 128 bits, of a message of any length. Source: NIST SP 800-38A §6.3.
    package static func encryptCFB(_ plaintext: [UInt8], key: [UInt8], iv: [UInt8]) throws -> [UInt8] {
        let run = try CipherRun(cipher("CFB", key, iv, count: blockCount), key: key, iv: iv, encrypts: true)
        return try run.update(plaintext) + run.finish()
    }

    /// Undoes ``encryptCFB(_:key:iv:)``; nothing tells whether the key was right.
    package static func decryptCFB(_ ciphertext: [UInt8], key: [UInt8], iv: [UInt8]) throws -> [UInt8] {
        let run = try CipherRun(cipher("CFB", key, iv, count: blockCount), key: key, iv: iv, encrypts: false)
        return try run.update(ciphertext) + run.finish()
    }

    static func cipher(
        _ mode: String, _ key: [UInt8], _ iv: [UInt8], count: Int
    ) throws -> OpaquePointer {
        guard let cipher = Algorithms.shared.ciphers["AES-\(key.count * 8)-\(mode)"] else {
            throw CryptoError(call: "AES", message: "a key of \(key.count) bytes instead of 16, 24 or 32")
        }
        guard iv.count == count else {
            throw CryptoError(call: "AES", message: "\(iv.count) bytes of IV instead of \(count)")
        }
        return cipher
    }
}
