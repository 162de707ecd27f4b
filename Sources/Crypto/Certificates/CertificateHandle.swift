import COpenSSL

/// Owns one certificate of OpenSSL.
///
/// `@unchecked Sendable`: it is never changed after it was read; what OpenSSL caches inside of it is behind its own lock.
final class CertificateHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(pointer) }
}
