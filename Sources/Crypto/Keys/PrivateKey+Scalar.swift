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
        let field = try CurveGroup.of(curve)
        return try field.withScalar(secret) { scalar in
            try field.withPoint { point in
                try require(EC_POINT_mul(field.group, point, scalar, nil, nil, nil), "EC_POINT_mul")
                return try field.encoded(point, curve)
            }
        }
    }
}
