import COpenSSL

extension PrivateKey {
    /// Elliptic curve Diffie-Hellman: the x coordinate of the shared point, as long as a coordinate of the curve.
    /// A key follows from it by a derivation function. Source: SEC 1 §3.3.1.
    ///
    /// - Throws: when the keys are not on the same curve.
    package func sharedSecret(with peer: PublicKey) throws -> [UInt8] {
        guard case .ec(let curve) = kind, peer.kind == kind else {
            throw CryptoError(call: "sharedSecret", message: "a key of \(kind) and one of \(peer.kind)")
        }
        let context = try require(EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil), "EVP_PKEY_CTX_new")
        defer { EVP_PKEY_CTX_free(context) }
        try require(EVP_PKEY_derive_init(context), "EVP_PKEY_derive_init")
        // SP 800-56A §5.6.2.3.4: on these curves a point that is on the curve is a valid key, and that was checked when the key
        // was read. To check its order as well would double the cost.
        try require(
            EVP_PKEY_derive_set_peer_ex(context, peer.handle.pointer, 0), "EVP_PKEY_derive_set_peer")
        let size = curve.coordinateCount
        return try [UInt8](unsafeUninitializedCapacity: size) { secret, written in
            var count = size
            try require(EVP_PKEY_derive(context, secret.baseAddress, &count), "EVP_PKEY_derive")
            guard count == size else {
                throw CryptoError(call: "sharedSecret", message: "\(count) bytes instead of \(size)")
            }
            written = count
        }
    }
}
