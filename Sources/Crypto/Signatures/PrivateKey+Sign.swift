import COpenSSL

extension PrivateKey {
    /// Signs `message`; ECDSA signatures are r and s, one after the other.
    ///
    /// - Throws: when the algorithm does not accept this kind of key.
    package func sign(_ message: [UInt8], with algorithm: SignatureAlgorithm) throws -> [UInt8] {
        guard algorithm.accepts(kind) else {
            throw CryptoError(call: "sign", message: "\(algorithm.rawValue) does not accept a key of \(kind)")
        }
        let context = try handle.signing.copy(for: algorithm) { try makeContext(algorithm) }
        defer { EVP_MD_CTX_free(context) }
        let signature = try sign(message, context)
        if case .ec(let curve) = kind { return try ECSignature.raw(fromDER: signature, curve) }
        return signature
    }

    private func makeContext(_ algorithm: SignatureAlgorithm) throws -> OpaquePointer {
        let context = try require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        do {
            var keyContext: OpaquePointer?
            try require(
                EVP_DigestSignInit(context, &keyContext, algorithm.digest?.handle, nil, handle.pointer),
                "EVP_DigestSignInit")
            try algorithm.setPadding(keyContext)
            return context
        } catch {
            EVP_MD_CTX_free(context)
            throw error
        }
    }

    private func sign(_ message: [UInt8], _ context: OpaquePointer) throws -> [UInt8] {
        let size = Int(EVP_PKEY_get_size(handle.pointer))
        return try [UInt8](unsafeUninitializedCapacity: size) { signature, written in
            written = size
            try require(
                EVP_DigestSign(context, signature.baseAddress, &written, message, message.count),
                "EVP_DigestSign")
        }
    }
}

extension SignatureAlgorithm {
    /// RFC 7518 §3.5: PSS with a salt as long as the hash; the mask function uses the same hash by default.
    func setPadding(_ context: OpaquePointer?) throws {
        guard isPSS else { return }
        try require(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING), "set_rsa_padding")
        try require(EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST), "set_rsa_pss_saltlen")
    }
}
