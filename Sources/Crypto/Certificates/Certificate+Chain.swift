import COpenSSL
package import Essentials

extension Certificate {
    /// What came of the search for a chain to an anchor.
    package enum Chain: Sendable, Equatable {
        /// The certificates from the first one to the anchor.
        case trusted([Certificate])
        /// Why no chain is good, in OpenSSL's words.
        case untrusted(String)
    }

    /// Builds a chain from this certificate over `intermediates` to one of `anchors`, which need not be self-signed.
    /// Signatures, names and basic constraints are checked; revocation never is. Source: RFC 5280 §6.1.
    ///
    /// - Parameter date: nil to leave the times of validity unchecked.
    package func chain(
        over intermediates: [Certificate], to anchors: [Certificate], at date: Date?
    ) throws -> Chain {
        defer { ERR_clear_error() }
        let store = try require(X509_STORE_new(), "X509_STORE_new")
        defer { X509_STORE_free(store) }
        for anchor in anchors {
            try require(X509_STORE_add_cert(store, anchor.handle.pointer), "X509_STORE_add_cert")
        }
        let others = try require(OPENSSL_sk_new_null(), "sk_X509_new")
        defer { OPENSSL_sk_free(others) }
        for certificate in intermediates {
            OPENSSL_sk_push(others, UnsafeRawPointer(certificate.handle.pointer))
        }
        let context = try require(X509_STORE_CTX_new(), "X509_STORE_CTX_new")
        defer { X509_STORE_CTX_free(context) }
        try require(X509_STORE_CTX_init(context, store, handle.pointer, others), "X509_STORE_CTX_init")
        set(context, date)
        guard X509_verify_cert(context) == 1 else {
            let reason = X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context)))
            return .untrusted(reason.map { String(cString: $0) } ?? "no reason given")
        }
        return .trusted(try Self.path(context))
    }

    private func set(_ context: OpaquePointer, _ date: Date?) {
        let parameters = X509_STORE_CTX_get0_param(context)
        // Level 0: attestation certificates of real devices are signed with SHA-1 here and there.
        X509_VERIFY_PARAM_set_auth_level(parameters, 0)
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        if let date {
            X509_VERIFY_PARAM_set_time(parameters, date.unixSeconds)
        } else {
            X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
        }
    }

    private static func path(_ context: OpaquePointer) throws -> [Certificate] {
        let chain = X509_STORE_CTX_get0_chain(context)
        return try (0..<OPENSSL_sk_num(chain)).map { index in
            let pointer = try require(OPENSSL_sk_value(chain, index), "sk_X509_value")
            return try Certificate(
                der: KeyHandle.writing { try require(i2d_X509_bio($0, OpaquePointer(pointer)), "i2d_X509") })
        }
    }
}
