import COpenSSL

/// A failure reported by OpenSSL, or found before it was asked: the call and what it said.
package struct CryptoError: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let message: String

    package var description: String { "\(call): \(message)" }
}

extension CryptoError {
    /// The failure that `call` left in the thread's error queue, which is empty afterwards.
    static func last(_ call: String) -> CryptoError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        let reason = ERR_reason_error_string(code).map { String(cString: $0) }
        return CryptoError(call: call, message: reason ?? "failed without a reason")
    }
}

/// The result of an OpenSSL call that answers null on failure.
func require<Handle>(_ handle: Handle?, _ call: String) throws -> Handle {
    guard let handle else { throw CryptoError.last(call) }
    return handle
}

/// Throws unless an OpenSSL call answered 1.
func require(_ result: Int32, _ call: String) throws {
    if result != 1 { throw CryptoError.last(call) }
}
