import COpenSSL

/// The algorithms of OpenSSL that the house uses, fetched once: a fetch costs more than a short hash.
///
/// `@unchecked Sendable`: a fetched algorithm never changes and is never freed, and the contexts here are only
/// ever copied from.
struct Algorithms: @unchecked Sendable {
    static let shared = Algorithms()

    /// In the order of `Digest.allCases`.
    let digests: [OpaquePointer]
    /// For HMAC: contexts that know their digest and wait for a key; in the same order.
    let authenticators: [OpaquePointer]
    /// By OpenSSL's names.
    let ciphers: [String: OpaquePointer]
    let hkdf: OpaquePointer
    let pbkdf2: OpaquePointer

    private init() {
        let mac = Self.present(EVP_MAC_fetch(nil, "HMAC", nil), "HMAC")
        digests = Digest.allCases.map { Self.present(EVP_MD_fetch(nil, $0.rawValue, nil), $0.rawValue) }
        authenticators = Digest.allCases.map { digest in
            let context = Self.present(EVP_MAC_CTX_new(mac), "HMAC")
            let parameters = Parameters([(OSSL_MAC_PARAM_DIGEST, .text(digest.rawValue))])
            let isSet = parameters.withPointer { EVP_MAC_CTX_set_params(context, $0) }
            precondition(isSet == 1, "OpenSSL has no HMAC with \(digest.rawValue)")
            return context
        }
        let names = ["CBC", "CFB", "CTR", "GCM", "WRAP"].flatMap { mode in
            [128, 192, 256].map { "AES-\($0)-\(mode)" }
        }
        ciphers = Dictionary(
            uniqueKeysWithValues: names.map { ($0, Self.present(EVP_CIPHER_fetch(nil, $0, nil), $0)) })
        hkdf = Self.present(EVP_KDF_fetch(nil, "HKDF", nil), "HKDF")
        pbkdf2 = Self.present(EVP_KDF_fetch(nil, "PBKDF2", nil), "PBKDF2")
    }

    /// These algorithms are in every OpenSSL 3; one without them is a broken installation.
    private static func present(_ handle: OpaquePointer?, _ name: String) -> OpaquePointer {
        guard let handle else { preconditionFailure("OpenSSL has no \(name)") }
        return handle
    }
}

extension Digest {
    /// A context for HMAC that waits for a key, the caller's own to be freed.
    func makeAuthenticator() -> OpaquePointer? { EVP_MAC_CTX_dup(Algorithms.shared.authenticators[index]) }

    var handle: OpaquePointer { Algorithms.shared.digests[index] }
}
