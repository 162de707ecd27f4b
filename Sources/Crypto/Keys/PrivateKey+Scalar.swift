import COpenSSL

extension PrivateKey {
    /// Makes the key pair whose secret number is `scalar`, most significant byte first, with or without leading zeros;
    /// ``ecSecret()`` is the way back.
    ///
    /// - Throws: when the number is not between 1 and the order of the curve.
    package init(_ curve: Curve = .p256, scalar: [UInt8]) throws {
        let secret = Array(scalar.drop { $0 == 0 })
        let handle = try KeyHandle(
            type: "EC", selection: crypto_key_pair,
            [
                (OSSL_PKEY_PARAM_GROUP_NAME, .text(curve.rawValue)),
                (OSSL_PKEY_PARAM_PUB_KEY, .octets(try Self.point(of: secret, curve))),
                (OSSL_PKEY_PARAM_PRIV_KEY, .number(secret)),
            ])
        self.init(handle, publicKey: PublicKey(handle))
    }

    /// The product of the number and the base point, uncompressed.
    private static func point(of secret: [UInt8], _ curve: Curve) throws -> [UInt8] {
        let group = try CurveGroup.of(curve).group
        let number = try require(BN_bin2bn(secret, Int32(clamping: secret.count), nil), "BN_bin2bn")
        defer { BN_clear_free(number) }
        guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else {
            throw CryptoError(
                call: "key", message: "the secret number is not between 1 and the order of \(curve.rawValue)")
        }
        let point = try require(EC_POINT_new(group), "EC_POINT_new")
        defer { EC_POINT_free(point) }
        try require(EC_POINT_mul(group, point, number, nil, nil, nil), "EC_POINT_mul")
        let size = 1 + 2 * curve.coordinateCount
        return try [UInt8](unsafeUninitializedCapacity: size) { bytes, written in
            written = EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, bytes.baseAddress, size, nil)
            guard written == size else { throw CryptoError.last("EC_POINT_point2oct") }
        }
    }
}
