import COpenSSL

/// A curve as OpenSSL computes on it, made once: to look one up by its name takes longer than to read a point.
///
/// `@unchecked Sendable`: neither the group nor the key is ever changed or freed; threads compute on the group and copy from
/// the key.
struct CurveGroup: @unchecked Sendable {
    let group: OpaquePointer
    /// Has the curve and no point: others are copied from it.
    private let parameters: OpaquePointer

    private static let known = Dictionary(
        uniqueKeysWithValues: NamedCurve.allCases.map { curve in
            (curve, Result { try Self(curve) })
        })

    /// - Throws: when this OpenSSL was built without the curve.
    static func of(_ curve: NamedCurve) throws -> CurveGroup {
        guard let made = known[curve] else {
            throw CryptoError(call: "curve", message: "\(curve.rawValue) is not known")
        }
        return try made.get()
    }

    static func of(_ curve: Curve) throws -> CurveGroup { try of(curve.named) }

    private init(_ curve: NamedCurve) throws {
        group = try require(EC_GROUP_new_by_curve_name(OBJ_sn2nid(curve.rawValue)), "EC_GROUP_new")
        parameters = try makeKeyOfNumbers(
            "EC", crypto_key_parameters, [(OSSL_PKEY_PARAM_GROUP_NAME, .text(curve.rawValue))])
    }
}

extension CurveGroup {
    /// A public key, which the caller frees: a third of the cost of one that is made of its numbers. Source: SEC 1 §2.3.4.
    ///
    /// - Throws: also when the point is not on the curve.
    func makeKey(point: [UInt8]) throws -> OpaquePointer {
        let key = try require(EVP_PKEY_new(), "EVP_PKEY_new")
        do {
            try require(EVP_PKEY_copy_parameters(key, parameters), "EVP_PKEY_copy_parameters")
            try require(EVP_PKEY_set1_encoded_public_key(key, point, point.count), "point")
            if point.first != 4 {
                // Or else the key would be written in the form in which it was read.
                let isSet = EVP_PKEY_set_utf8_string_param(
                    key, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT,
                    OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_UNCOMPRESSED)
                try require(isSet, "EVP_PKEY_set_utf8_string_param")
            }
            return key
        } catch {
            EVP_PKEY_free(key)
            throw error
        }
    }

    /// Computes with a point, which is at infinity until it is given another value.
    func withPoint<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        let point = try require(EC_POINT_new(group), "EC_POINT_new")
        defer { EC_POINT_clear_free(point) }
        return try body(point)
    }

    /// Computes with a secret number, most significant byte first.
    ///
    /// - Throws: when the number is not between 1 and the order of the curve.
    func withScalar<Value>(_ bytes: [UInt8], _ body: (OpaquePointer) throws -> Value) throws -> Value {
        let number = try require(BN_bin2bn(bytes, Int32(clamping: bytes.count), nil), "BN_bin2bn")
        defer { BN_clear_free(number) }
        guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else {
            throw CryptoError(
                call: "key", message: "the secret number is not between 1 and the order of the curve")
        }
        return try body(number)
    }

    /// The uncompressed form. Source: SEC 1 §2.3.3.
    func encoded(_ point: OpaquePointer, _ curve: Curve) throws -> [UInt8] {
        let size = 1 + 2 * curve.coordinateCount
        return try [UInt8](unsafeUninitializedCapacity: size) { bytes, written in
            written = EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, bytes.baseAddress, size, nil)
            guard written == size else { throw CryptoError.last("EC_POINT_point2oct") }
        }
    }
}
