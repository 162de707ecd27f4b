import COpenSSL

extension AES {
    /// CTR, which encrypts and decrypts alike. Source: NIST SP 800-38A §6.5.
    ///
    /// - Parameter counter: the first counter block, 16 bytes.
    package static func applyCTR(_ bytes: [UInt8], key: [UInt8], counter: [UInt8]) throws -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let run = try CipherRun(
            cipher("CTR", key, counter, count: 16), key: key, iv: counter, encrypts: true)
        return try run.update(bytes) + run.finish()
    }
}
