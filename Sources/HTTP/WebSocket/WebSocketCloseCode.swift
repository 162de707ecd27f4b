/// Why a web socket ends. Source: RFC 6455 §7.4 and IANA's “WebSocket Close Code Number Registry”.
package struct WebSocketCloseCode: Sendable, Hashable, RawRepresentable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = WebSocketCloseCode(rawValue: 1000)
    /// The server stops, or the page is left.
    package static let goingAway = WebSocketCloseCode(rawValue: 1001)
    package static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A kind of message that is not taken here, such as binary.
    package static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// Told to those who wait for a code when the Close frame had none; never sent.
    package static let none = WebSocketCloseCode(rawValue: 1005)
    /// Told when the connection ended without a Close frame; never sent.
    package static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// A text that is not UTF-8.
    package static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    package static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    package static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    package static let internalError = WebSocketCloseCode(rawValue: 1011)

    /// Too much is asked of the server at this time; registered after the RFC.
    package static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)

    /// A server behind this one did not say how it ends; registered after the RFC.
    package static let badGateway = WebSocketCloseCode(rawValue: 1014)

    /// Whether a Close frame may have it. 1012 to 1014 came to the registry after the RFC; 3000 to 3999 are registered by
    /// libraries, 4000 to 4999 are an application's own.
    package var canBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
