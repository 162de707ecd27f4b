import COpenSSL

/// A key pair of X25519, with which two sides agree on a secret. Source: RFC 7748 §6.1.
package struct AgreementKey: Sendable {
    /// 32 bytes
    package let secretBytes: [UInt8]
    /// 32 bytes
    package let publicBytes: [UInt8]

    /// - Parameter secretBytes: any 32 bytes; the bits that RFC 7748 §5 fixes are fixed when it is used.
    package init(_ secretBytes: [UInt8]) throws {
        let key = try Self.key(secret: secretBytes)
        defer { EVP_PKEY_free(key) }
        self.secretBytes = secretBytes
        publicBytes = try Self.raw { EVP_PKEY_get_raw_public_key(key, $0, &$1) }
    }

    package static func generate() throws -> AgreementKey {
        let key = try require(crypto_generate_x25519(), "EVP_PKEY_Q_keygen")
        defer { EVP_PKEY_free(key) }
        return try AgreementKey(raw { EVP_PKEY_get_raw_private_key(key, $0, &$1) })
    }

    /// The 32 bytes that the owner of `peer` finds as well; a key follows from them by a derivation function.
    ///
    /// - Throws: when `peer` has not 32 bytes, or is one of the points for which the secret would be zero.
    package func sharedSecret(with peer: [UInt8]) throws -> [UInt8] {
        let key = try Self.key(secret: secretBytes)
        defer { EVP_PKEY_free(key) }
        let other = try Self.key(public: peer)
        defer { EVP_PKEY_free(other) }
        let context = try require(EVP_PKEY_CTX_new_from_pkey(nil, key, nil), "EVP_PKEY_CTX_new")
        defer { EVP_PKEY_CTX_free(context) }
        try require(EVP_PKEY_derive_init(context), "EVP_PKEY_derive_init")
        try require(EVP_PKEY_derive_set_peer(context, other), "EVP_PKEY_derive_set_peer")
        return try Self.raw { EVP_PKEY_derive(context, $0, &$1) }
    }

    private static func key(secret: [UInt8]) throws -> OpaquePointer {
        let key = EVP_PKEY_new_raw_private_key_ex(nil, "X25519", nil, secret, secret.count)
        return try require(key, "EVP_PKEY_new_raw_private_key")
    }

    private static func key(public point: [UInt8]) throws -> OpaquePointer {
        let key = EVP_PKEY_new_raw_public_key_ex(nil, "X25519", nil, point, point.count)
        return try require(key, "EVP_PKEY_new_raw_public_key")
    }

    private static func raw(
        _ fill: (UnsafeMutablePointer<UInt8>?, inout Int) -> Int32
    ) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: 32) { bytes, written in
            var count = 32
            try require(fill(bytes.baseAddress, &count), "X25519")
            written = count
        }
    }
}
