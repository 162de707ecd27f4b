import COpenSSL
import Synchronization

/// The scratch memory that OpenSSL needs to multiply and divide: to make it costs more than a multiplication of short numbers.
///
/// `@unchecked Sendable`: the list is behind its lock, and what was taken from it belongs to one thread until it is put back.
final class NumberContexts: @unchecked Sendable {
    static let shared = NumberContexts()

    /// Addresses, because a pointer is not `Sendable`.
    private let spare = Mutex<[UInt]>([])

    deinit { spare.withLock { for address in $0 { BN_CTX_free(OpaquePointer(bitPattern: address)) } } }

    func with<Value>(_ body: (OpaquePointer) throws -> Value) rethrows -> Value {
        let kept = spare.withLock { $0.popLast() }.flatMap { OpaquePointer(bitPattern: $0) }
        guard let context = kept ?? BN_CTX_new() else { preconditionFailure("no memory to compute") }
        defer { spare.withLock { $0.append(UInt(bitPattern: context)) } }
        return try body(context)
    }
}
