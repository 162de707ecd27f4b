/// Bytes that are not the message they claim to be, or that go beyond a limit.
package struct WireFault: Error, Sendable, Equatable {
    /// How a server answers it. A client that finds the fault in an answer has no use for it.
    package let status: Status
    /// A sentence for the developer.
    package let reason: String

    package init(_ status: Status, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    static func malformed(_ reason: String) -> WireFault { WireFault(.badRequest, reason) }
}
