import COpenSSL

/// Keys of OpenSSL that have a curve and no point, from which others are copied.
///
/// `@unchecked Sendable`: they are never changed and never freed.
struct CurveParameters: @unchecked Sendable {
    static let shared = CurveParameters()

    private let pointers: [VerificationKey.NamedCurve: OpaquePointer]

    private init() {
        pointers = Dictionary(
            uniqueKeysWithValues: VerificationKey.NamedCurve.allCases.compactMap { curve in
                Self.make(curve).map { (curve, $0) }
            })
    }

    /// nil when this OpenSSL was built without the curve.
    func pointer(of curve: VerificationKey.NamedCurve) -> OpaquePointer? { pointers[curve] }

    private static func make(_ curve: VerificationKey.NamedCurve) -> OpaquePointer? {
        defer { ERR_clear_error() }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        var key: OpaquePointer?
        let result = Parameters([(OSSL_PKEY_PARAM_GROUP_NAME, .text(curve.rawValue))]).withPointer {
            EVP_PKEY_fromdata(context, &key, crypto_key_parameters, $0)
        }
        return result == 1 ? key : nil
    }
}
