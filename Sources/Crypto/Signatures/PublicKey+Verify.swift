import COpenSSL

extension PublicKey {
    /// Whether `signature` is this key's for `message`; ECDSA signatures are r and s, one after the other.
    ///
    /// A malformed signature and an algorithm that does not accept this kind of key are `false` as well.
    package func isValid(
        _ signature: [UInt8], for message: [UInt8], with algorithm: SignatureAlgorithm
    ) -> Bool {
        guard algorithm.accepts(kind) else { return false }
        var encoded = signature
        if case .ec(let curve) = kind {
            guard let der = try? ECSignature.der(fromRaw: signature, curve) else { return false }
            encoded = der
        }
        return isValid(encoded: encoded, for: message, algorithm)
    }

    private func isValid(encoded: [UInt8], for message: [UInt8], _ algorithm: SignatureAlgorithm) -> Bool {
        // The reason of a failure is of no use here and must not stay in the thread's queue.
        defer { ERR_clear_error() }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        var keyContext: OpaquePointer?
        let isReady = EVP_DigestVerifyInit(
            context, &keyContext, algorithm.digest?.handle, nil, handle.pointer)
        guard isReady == 1, (try? algorithm.setPadding(keyContext)) != nil else { return false }
        return EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
    }
}
