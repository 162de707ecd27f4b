// In the place of Foundation, whose Apple edition no other system has: what the checked sources use of it.
package struct POSIXError: Error {
    package struct Code { package let rawValue: Int32 }

    package let code: Code
}

package final class ProcessInfo: Sendable {
    package static let processInfo = ProcessInfo()
    package var environment: [String: String] { [:] }
}

/// Of Foundation, as far as sockets need it.
package struct Data {
    package init(_ bytes: [UInt8]) {}
    package func base64EncodedString() -> String { "" }
}
