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
