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

extension SocketError {
    /// - Parameter subject: what the call was about, such as an address; put before the system's own words.
    init(errno code: Int32, call: String, subject: String = "") {
        let words = System.words(for: code)
        self.init(
            System.reason(of: code), code: Int(code),
            message: subject.isEmpty ? words : "\(subject): \(words)",
            call: call)
    }

    static func timedOut(_ subject: String, call: String) -> SocketError {
        SocketError(.timedOut, message: "\(subject): no answer in time", call: call)
    }
}
