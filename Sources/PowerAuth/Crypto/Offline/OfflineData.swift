/// What an offline code covers: `operationId&operationData`, and behind another `&` the one-time password of a proximity check.
package struct OfflineData: Sendable, Equatable {
    package let bytes: [UInt8]

    /// - Parameter text: the parts, already joined.
    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package init(operationID: String, data: String, otp: String? = nil) {
        self.init([operationID, data, otp].compactMap { $0 }.joined(separator: "&"))
    }
}
