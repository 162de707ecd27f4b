import Essentials

/// The proof that the server understood the opening of a web socket. Source: RFC 6455 §1.3 and §4.2.2.
package enum WebSocketAccept {
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// Value of `Sec-WebSocket-Accept` for a `Sec-WebSocket-Key`.
    package static func value(for key: String) throws -> String {
        Data(try SHA1.hash([UInt8]((key + suffix).utf8))).base64EncodedString()
    }
}
