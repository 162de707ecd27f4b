import COpenSSL

/// Owns one key of OpenSSL.
///
/// `@unchecked Sendable`: the key is never changed after it was made; its use for signing, verifying and decrypting by many
/// threads at once is safe by OpenSSL's own reference counts and locks.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    let kind: KeyKind
    let signing = SigningContexts()

    /// - Throws: when the key is of a kind that the house does not use; it is freed in any case.
    init(owning pointer: OpaquePointer) throws {
        guard let kind = Self.kind(of: pointer) else {
            // A class that was not fully made runs no `deinit`.
            EVP_PKEY_free(pointer)
            throw CryptoError(call: "key", message: "neither RSA, nor P-256, P-384, P-521, nor Ed25519")
        }
        self.pointer = pointer
        self.kind = kind
    }

    deinit { EVP_PKEY_free(pointer) }

    private static func kind(of pointer: OpaquePointer) -> KeyKind? {
        defer { ERR_clear_error() }
        if EVP_PKEY_is_a(pointer, "RSA") == 1 { return .rsa(bits: Int(EVP_PKEY_get_bits(pointer))) }
        if EVP_PKEY_is_a(pointer, "ED25519") == 1 { return .ed25519 }
        guard EVP_PKEY_is_a(pointer, "EC") == 1 else { return nil }
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return nil }
        let bytes = name.prefix(count).map(UInt8.init(bitPattern:))
        return NamedCurve(rawValue: String(decoding: bytes, as: UTF8.self))
            .flatMap(Curve.init).map(KeyKind.ec)
    }
}

extension KeyHandle {
    /// A number of the key, most significant byte first, padded with zeros to `count` when that is given.
    func number(_ name: String, count: Int? = nil) throws -> [UInt8] {
        var number: OpaquePointer?
        try require(EVP_PKEY_get_bn_param(pointer, name, &number), "EVP_PKEY_get_bn_param \(name)")
        defer { BN_clear_free(number) }
        let size = count ?? Int((BN_num_bits(number) + 7) / 8)
        return try [UInt8](unsafeUninitializedCapacity: size) { bytes, written in
            guard BN_bn2binpad(number, bytes.baseAddress, Int32(size)) == size else {
                throw CryptoError.last("BN_bn2binpad")
            }
            written = size
        }
    }

    /// The uncompressed form of the point, also of a key that was read in another. Source: SEC 1 §2.3.3.
    ///
    /// - Throws: when the key is not on a curve with points of two coordinates.
    func point() throws -> [UInt8] {
        guard case .ec(let curve) = kind else { throw CryptoError(call: "point", message: "not an EC key") }
        let size = 1 + 2 * curve.coordinateCount
        // To ask for the coordinates one by one takes four times as long.
        return try [UInt8](unsafeUninitializedCapacity: size) { bytes, written in
            try require(
                EVP_PKEY_get_octet_string_param(
                    pointer, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, bytes.baseAddress, size, &written),
                "EVP_PKEY_get_octet_string_param")
            guard written == size, bytes.first == 4 else {
                throw CryptoError(call: "point", message: "\(written) bytes instead of \(size)")
            }
        }
    }

    convenience init(type: String, selection: Int32, _ numbers: [(String, Parameters.Value)]) throws {
        try self.init(owning: makeKeyOfNumbers(type, selection, numbers))
    }

    static func reading(
        _ bytes: [UInt8], _ read: (OpaquePointer) throws -> OpaquePointer
    ) throws -> KeyHandle {
        let bio = try require(crypto_bio_of(bytes, Int32(clamping: bytes.count)), "BIO_new")
        defer { BIO_free(bio) }
        // Reading tries one form after another and leaves the misses in the queue.
        defer { ERR_clear_error() }
        return try KeyHandle(owning: read(bio))
    }

    static func writing(_ write: (OpaquePointer) throws -> Void) throws -> [UInt8] {
        let bio = try require(BIO_new(BIO_s_mem()), "BIO_new")
        defer { BIO_free(bio) }
        try write(bio)
        var start: UnsafeMutablePointer<CChar>?
        let count = crypto_memory_of_bio(bio, &start)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// Makes a key of its numbers, which the caller frees; `selection` is `crypto_key_pair`, `crypto_public_key`, or
/// `crypto_key_parameters`.
func makeKeyOfNumbers(
    _ type: String, _ selection: Int32, _ numbers: [(String, Parameters.Value)]
) throws -> OpaquePointer {
    let context = try require(EVP_PKEY_CTX_new_from_name(nil, type, nil), "EVP_PKEY_CTX_new_from_name")
    defer { EVP_PKEY_CTX_free(context) }
    try require(EVP_PKEY_fromdata_init(context), "EVP_PKEY_fromdata_init")
    var key: OpaquePointer?
    let result = Parameters(numbers).withPointer { EVP_PKEY_fromdata(context, &key, selection, $0) }
    try require(result, "EVP_PKEY_fromdata")
    return try require(key, "EVP_PKEY_fromdata")
}
