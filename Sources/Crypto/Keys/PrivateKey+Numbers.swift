import COpenSSL

extension PrivateKey {
    /// The numbers of an RSA key beside the public ones, most significant byte first.
    package struct RSANumbers: Sendable, Equatable {
        /// `d`
        package let exponent: [UInt8]
        /// `p` and `q`
        package let primes: [[UInt8]]
        /// `dp` and `dq`
        package let exponents: [[UInt8]]
        /// `qi`
        package let coefficient: [UInt8]

        package init(exponent: [UInt8], primes: [[UInt8]], exponents: [[UInt8]], coefficient: [UInt8]) {
            self.exponent = exponent
            self.primes = primes
            self.exponents = exponents
            self.coefficient = coefficient
        }
    }

    /// - Throws: when a number is missing, or the modulus too short or too long.
    package init(_ numbers: PublicKey.RSANumbers, _ secret: RSANumbers) throws {
        guard secret.primes.count == 2, secret.exponents.count == 2 else {
            throw CryptoError(call: "key", message: "an RSA key of other than two primes")
        }
        let handle = try KeyHandle(
            type: "RSA", selection: crypto_key_pair,
            [
                (OSSL_PKEY_PARAM_RSA_N, .number(numbers.modulus)),
                (OSSL_PKEY_PARAM_RSA_E, .number(numbers.exponent)),
                (OSSL_PKEY_PARAM_RSA_D, .number(secret.exponent)),
                (CRYPTO_RSA_FACTOR1, .number(secret.primes[0])),
                (CRYPTO_RSA_FACTOR2, .number(secret.primes[1])),
                (CRYPTO_RSA_EXPONENT1, .number(secret.exponents[0])),
                (CRYPTO_RSA_EXPONENT2, .number(secret.exponents[1])),
                (CRYPTO_RSA_COEFFICIENT1, .number(secret.coefficient)),
            ])
        try checkSize(handle)
        try self.init(handle)
    }

    /// - Throws: when the point is not on the curve or does not belong to `secret`.
    package init(_ curve: Curve, x: [UInt8], y: [UInt8], secret: [UInt8]) throws {
        let handle = try KeyHandle(
            type: "EC", selection: crypto_key_pair,
            [
                (OSSL_PKEY_PARAM_GROUP_NAME, .text(curve.rawValue)),
                (OSSL_PKEY_PARAM_PUB_KEY, .octets(try encodedPoint(curve, x: x, y: y))),
                (OSSL_PKEY_PARAM_PRIV_KEY, .number(secret)),
            ])
        let context = try require(EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil), "EVP_PKEY_CTX_new")
        defer { EVP_PKEY_CTX_free(context) }
        try require(EVP_PKEY_pairwise_check(context), "EVP_PKEY_pairwise_check")
        try self.init(handle)
    }

    /// - Parameter ed25519: the 32 bytes of RFC 8032 §5.1.5.
    package init(ed25519: [UInt8]) throws {
        let key = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, ed25519, ed25519.count)
        try self.init(KeyHandle(owning: require(key, "EVP_PKEY_new_raw_private_key")))
    }

    /// - Throws: when the key is not RSA.
    package func rsaNumbers() throws -> RSANumbers {
        try RSANumbers(
            exponent: handle.number(OSSL_PKEY_PARAM_RSA_D),
            primes: [
                handle.number(CRYPTO_RSA_FACTOR1), handle.number(CRYPTO_RSA_FACTOR2),
            ],
            exponents: [
                handle.number(CRYPTO_RSA_EXPONENT1), handle.number(CRYPTO_RSA_EXPONENT2),
            ],
            coefficient: handle.number(CRYPTO_RSA_COEFFICIENT1))
    }

    /// The secret number of an EC key, as long as a coordinate.
    package func ecSecret() throws -> [UInt8] {
        guard case .ec(let curve) = kind else { throw CryptoError(call: "key", message: "not an EC key") }
        return try handle.number(OSSL_PKEY_PARAM_PRIV_KEY, count: curve.coordinateCount)
    }

    /// The 32 bytes of an Ed25519 key.
    package func ed25519Bytes() throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: 32) { bytes, written in
            written = 32
            try require(
                EVP_PKEY_get_raw_private_key(handle.pointer, bytes.baseAddress, &written),
                "EVP_PKEY_get_raw_private_key")
        }
    }
}
