import COpenSSL

/// A curve as OpenSSL computes on it, made once: to look one up by its name takes longer than to read a point.
///
/// `@unchecked Sendable`: neither the group nor the key is ever changed or freed; threads compute on the group and copy from
/// the key.
struct CurveGroup: @unchecked Sendable {
    let group: OpaquePointer
    /// Some key of the curve, to copy its parameters from.
    let key: OpaquePointer

    private static let known = Dictionary(
        uniqueKeysWithValues: Curve.allCases.map { curve in (curve, Result { try Self(curve) }) })

    static func of(_ curve: Curve) throws -> CurveGroup {
        guard let parameters = known[curve] else {
            throw CryptoError(call: "curve", message: "\(curve.rawValue) is not known")
        }
        return try parameters.get()
    }

    private init(_ curve: Curve) throws {
        group = try require(EC_GROUP_new_by_curve_name(curve.identifier), "EC_GROUP_new_by_curve_name")
        key = try require(crypto_generate_ec(curve.rawValue), "EVP_PKEY_Q_keygen")
    }
}

extension KeyHandle {
    /// Reads a public key. Source: SEC 1 §2.3.4.
    ///
    /// - Throws: also when the point is not on the curve.
    convenience init(point: [UInt8], isCompressed: Bool, on curve: CurveGroup) throws {
        let key = try require(EVP_PKEY_new(), "EVP_PKEY_new")
        do {
            try require(EVP_PKEY_copy_parameters(key, curve.key), "EVP_PKEY_copy_parameters")
            try require(EVP_PKEY_set1_encoded_public_key(key, point, point.count), "point")
            if isCompressed {
                // Or else the key would be written in the form in which it was read.
                let isSet = EVP_PKEY_set_utf8_string_param(
                    key, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT,
                    OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_UNCOMPRESSED)
                try require(isSet, "EVP_PKEY_set_utf8_string_param")
            }
        } catch {
            EVP_PKEY_free(key)
            throw error
        }
        try self.init(owning: key)
    }
}

extension Curve {
    fileprivate var identifier: Int32 {
        switch self {
        case .p256: NID_X9_62_prime256v1
        case .p384: NID_secp384r1
        case .p521: NID_secp521r1
        }
    }
}
