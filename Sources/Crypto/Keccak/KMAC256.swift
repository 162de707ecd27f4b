import COpenSSL

/// KMAC-256 of fixed output length, not the XOF form. Source: NIST SP 800-185 §4.
package enum KMAC256 {
    /// - Parameters:
    ///   - key: 4 to 256 bytes, which is what OpenSSL 3.0 takes.
    ///   - custom: up to 127 bytes of a name for what the code is for.
    ///   - count: how many bytes the code has; 1 or more. A longer code does not begin with a shorter one.
    /// - Throws: for a key or a name of another size.
    package static func code(
        of bytes: [UInt8], key: [UInt8], custom: String = "", count: Int = 32
    ) throws -> [UInt8] {
        guard count > 0 else { throw CryptoError(call: "KMAC", message: "a code of \(count) bytes") }
        let context = try require(EVP_MAC_CTX_new(KeccakAlgorithms.shared.kmac256), "EVP_MAC_CTX_new")
        defer { EVP_MAC_CTX_free(context) }
        let parameters = Parameters([
            (OSSL_MAC_PARAM_SIZE, .size(count)), (OSSL_MAC_PARAM_CUSTOM, .octets(Array(custom.utf8))),
        ])
        try require(
            parameters.withPointer { EVP_MAC_init(context, key, key.count, $0) }, "EVP_MAC_init KMAC-256")
        try require(EVP_MAC_update(context, bytes, bytes.count), "EVP_MAC_update")
        return try [UInt8](unsafeUninitializedCapacity: count) { code, written in
            try require(EVP_MAC_final(context, code.baseAddress, &written, count), "EVP_MAC_final")
        }
    }
}
