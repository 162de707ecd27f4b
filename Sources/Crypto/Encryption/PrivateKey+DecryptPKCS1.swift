import COpenSSL

extension PrivateKey {
    /// Undoes ``PublicKey/encryptPKCS1(_:)``. Source: RFC 8017 §7.2.2.
    ///
    /// A wrong length, a value that is no number below the modulus and every kind of wrong padding are one and the same
    /// error, so that no answer built upon it tells them apart (Bleichenbacher's attack). An OpenSSL of version 3.2 or
    /// later answers wrong padding with random bytes instead, which the caller must be ready to find meaningless.
    ///
    /// - Throws: always the same for an RSA key.
    package func decryptPKCS1(_ encrypted: [UInt8]) throws -> [UInt8] {
        guard case .rsa = kind else { throw CryptoError(call: "decryptPKCS1", message: "not an RSA key") }
        defer { ERR_clear_error() }
        guard let message = opened(encrypted) else {
            throw CryptoError(call: "decryptPKCS1", message: "not encrypted to this key")
        }
        return message
    }

    private func opened(_ encrypted: [UInt8]) -> [UInt8]? {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_decrypt_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        else { return nil }
        var count = Int(EVP_PKEY_get_size(handle.pointer))
        var message = [UInt8](repeating: 0, count: count)
        let result = EVP_PKEY_decrypt(context, &message, &count, encrypted, encrypted.count)
        return result == 1 ? Array(message.prefix(count)) : nil
    }
}
