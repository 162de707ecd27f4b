import COpenSSL

/// HMAC on a context of its own, with one key after another: cheaper than ``Digest/authenticationCode(of:key:)`` where one
/// computation asks for many codes. Source: RFC 2104.
package final class HMAC {
    private let context: OpaquePointer
    private let digest: Digest

    package init(_ digest: Digest) {
        guard let context = digest.makeAuthenticator() else {
            preconditionFailure("no memory to authenticate")
        }
        self.context = context
        self.digest = digest
    }

    deinit { EVP_MAC_CTX_free(context) }

    /// The code of `bytes` under `key`, as long as the hash.
    package func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: digest.count) { code, written in
            // A null key would mean the key before.
            let isKeyed =
                key.isEmpty ? EVP_MAC_init(context, [0], 0, nil) : EVP_MAC_init(context, key, key.count, nil)
            let isDone =
                isKeyed == 1 && EVP_MAC_update(context, bytes, bytes.count) == 1
                && EVP_MAC_final(context, code.baseAddress, &written, digest.count) == 1
            precondition(isDone, "no memory to authenticate")
        }
    }
}
