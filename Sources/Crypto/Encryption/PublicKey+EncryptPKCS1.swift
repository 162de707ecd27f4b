import COpenSSL

extension PublicKey {
    /// Encrypts `message`, which is at least 11 bytes shorter than the modulus, with padding of type 2.
    /// The answer is as long as the modulus. Source: RFC 8017 §7.2.1.
    ///
    /// - Throws: when the key is not RSA or the message too long.
    package func encryptPKCS1(_ message: [UInt8]) throws -> [UInt8] {
        guard case .rsa = kind else { throw CryptoError(call: "encryptPKCS1", message: "not an RSA key") }
        let context = try require(EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil), "EVP_PKEY_CTX_new")
        defer { EVP_PKEY_CTX_free(context) }
        try require(EVP_PKEY_encrypt_init(context), "EVP_PKEY_encrypt_init")
        try require(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING), "set_rsa_padding")
        let size = Int(EVP_PKEY_get_size(handle.pointer))
        return try [UInt8](unsafeUninitializedCapacity: size) { encrypted, written in
            var count = size
            try require(
                EVP_PKEY_encrypt(context, encrypted.baseAddress, &count, message, message.count),
                "EVP_PKEY_encrypt")
            written = count
        }
    }
}
