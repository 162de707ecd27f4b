import COpenSSL

/// A hash function, called like one: `Digest.sha256(bytes)`.
package enum Digest: String, Sendable, CaseIterable {
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"

    /// The size of a hash in bytes.
    package var count: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    package func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { hash, written in
            let isHashed = EVP_Digest(bytes, bytes.count, hash.baseAddress, nil, handle, nil)
            precondition(isHashed == 1, "no memory to hash")
            written = count
        }
    }

    /// HMAC with this function. Source: RFC 2104.
    package func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { code, written in
            let context = makeAuthenticator()
            defer { EVP_MAC_CTX_free(context) }
            // A null key would mean the key of the context that was copied, which has none.
            let isKeyed =
                key.isEmpty ? EVP_MAC_init(context, [0], 0, nil) : EVP_MAC_init(context, key, key.count, nil)
            let isDone =
                isKeyed == 1 && EVP_MAC_update(context, bytes, bytes.count) == 1
                && EVP_MAC_final(context, code.baseAddress, &written, count) == 1
            precondition(isDone, "no memory to authenticate")
        }
    }

    /// Whether `code` is the HMAC of `bytes`; takes the same time for every wrong code of the right length.
    package func isAuthenticationCode(_ code: [UInt8], of bytes: [UInt8], key: [UInt8]) -> Bool {
        constantTimeEqual(code, authenticationCode(of: bytes, key: key))
    }

    /// Its place among ``allCases``.
    var index: Int {
        switch self {
        case .sha1: 0
        case .sha256: 1
        case .sha384: 2
        case .sha512: 3
        }
    }
}
