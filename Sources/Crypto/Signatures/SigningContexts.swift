import COpenSSL
import Synchronization

/// Contexts that are ready to sign with one key, an algorithm each: to make one costs more than to copy it.
///
/// `@unchecked Sendable`: a context that is kept here is only ever copied from, which changes nothing but reference counts of
/// OpenSSL's that threads may share; the list itself is behind its lock.
final class SigningContexts: @unchecked Sendable {
    private let kept = Mutex<[SignatureAlgorithm: UInt]>([:])

    deinit {
        kept.withLock { for address in $0.values { EVP_MD_CTX_free(OpaquePointer(bitPattern: address)) } }
    }

    /// A context of the caller's own, to be freed by it.
    func copy(for algorithm: SignatureAlgorithm, make: () throws -> OpaquePointer) throws -> OpaquePointer {
        let address = try kept.withLock { kept in
            if let address = kept[algorithm] { return address }
            let address = UInt(bitPattern: try make())
            kept[algorithm] = address
            return address
        }
        let context = try require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        guard EVP_MD_CTX_copy_ex(context, OpaquePointer(bitPattern: address)) == 1 else {
            EVP_MD_CTX_free(context)
            throw CryptoError.last("EVP_MD_CTX_copy_ex")
        }
        return context
    }
}
