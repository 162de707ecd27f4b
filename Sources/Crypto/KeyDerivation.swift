import COpenSSL

/// Functions that make keys out of passwords and secrets.
package enum KeyDerivation {
    /// PBKDF2 with HMAC. Source: RFC 8018 §5.2.
    package static func pbkdf2(
        _ digest: Digest, password: [UInt8], salt: [UInt8], iterations: Int, count: Int
    ) throws -> [UInt8] {
        let parameters: [(String, Parameters.Value)] = [
            (OSSL_KDF_PARAM_DIGEST, .text(digest.rawValue)),
            (OSSL_KDF_PARAM_PASSWORD, .octets(password)),
            (OSSL_KDF_PARAM_SALT, .octets(salt)),
            (OSSL_KDF_PARAM_ITER, .size(max(iterations, 0))),
            // Leaves the lower bounds of SP 800-132 unchecked: protocols and vectors are below them.
            (OSSL_KDF_PARAM_PKCS5, .size(1)),
        ]
        return try derive(Algorithms.shared.pbkdf2, parameters, count: count, "PBKDF2")
    }

    /// HKDF, extract and expand. Source: RFC 5869.
    package static func hkdf(
        _ digest: Digest, secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int
    ) throws -> [UInt8] {
        let parameters: [(String, Parameters.Value)] = [
            (OSSL_KDF_PARAM_DIGEST, .text(digest.rawValue)),
            (OSSL_KDF_PARAM_KEY, .octets(secret)),
            (OSSL_KDF_PARAM_SALT, .octets(salt)),
            (OSSL_KDF_PARAM_INFO, .octets(info)),
        ]
        return try derive(Algorithms.shared.hkdf, parameters, count: count, "HKDF")
    }

    /// The derivation function of elliptic curves: hashes of secret, a counter from 1 in four bytes, and `info`, one after
    /// the other, the first `count` bytes of them. Source: ANSI X9.63 §5.6.3, SEC 1 §3.6.1.
    package static func x963(_ digest: Digest, secret: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        var (key, counter): ([UInt8], UInt32) = ([], 0)
        key.reserveCapacity(max(count, 0) + digest.count)
        while key.count < count {
            counter += 1
            let number = withUnsafeBytes(of: counter.bigEndian) { Array($0) }
            key += digest(secret + number + info)
        }
        key.removeLast(key.count - max(count, 0))
        return key
    }

    private static func derive(
        _ function: OpaquePointer, _ parameters: [(String, Parameters.Value)], count: Int, _ name: String
    ) throws -> [UInt8] {
        let context = try require(EVP_KDF_CTX_new(function), name)
        defer { EVP_KDF_CTX_free(context) }
        return try [UInt8](unsafeUninitializedCapacity: max(count, 0)) { key, written in
            let result = Parameters(parameters).withPointer {
                EVP_KDF_derive(context, key.baseAddress, max(count, 0), $0)
            }
            try require(result, name)
            written = count
        }
    }
}
