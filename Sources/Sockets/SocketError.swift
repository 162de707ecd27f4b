/// A call to the system or to OpenSSL failed.
package struct SocketError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case addressInUse, permissionDenied, refused, timedOut, unknownHost, tls, closed, outOfDescriptors,
            other
    }

    package let reason: Reason
    /// The system's `errno`, getaddrinfo's code, or OpenSSL's packed error; 0 where there is none.
    package let code: Int
    /// A sentence fragment that says what was tried and what came of it.
    package let message: String
    /// The function that failed, such as `connect`.
    package let call: String

    package init(_ reason: Reason, code: Int = 0, message: String, call: String) {
        self.reason = reason
        self.code = code
        self.message = message
        self.call = call
    }

    package var description: String { "\(message) (\(call))" }
}
