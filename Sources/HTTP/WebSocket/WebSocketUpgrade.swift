/// What becomes of a connection that turned into a web socket. Made by ``Request/webSocket(protocols:requiresProtocol:messageBytes:kinds:opened:received:closed:)``.
///
/// The callbacks run on the server's threads as handlers do, and may wait. For one socket they run one after the other, in the
/// order of its messages: `opened` first, `closed` last, each of these once. An error thrown by `opened` or `received` closes
/// the socket with 1011.
package struct WebSocketUpgrade: Sendable {
    package typealias Opened = @Sendable (WebSocketSender) throws -> Void
    package typealias Received = @Sendable (WebSocketMessage, WebSocketSender) throws -> Void
    package typealias Closed = @Sendable (WebSocketClose, WebSocketSender) -> Void

    /// Bytes of a message, where the handler says nothing else.
    package static let messageBytes = 1024 * 1024

    /// `Sec-WebSocket-Key` as it came, for the answer to it.
    package let key: String
    package let subprotocol: String?
    package let messageBytes: Int
    package let kinds: WebSocketKinds
    package var opened: Opened
    package var received: Received
    /// Told how the socket ended: by the Close frame that came first, the client's or ours; 1006 without one.
    package var closed: Closed

    init(
        key: String, subprotocol: String?, messageBytes: Int, kinds: WebSocketKinds,
        opened: @escaping Opened, received: @escaping Received, closed: @escaping Closed
    ) {
        self.key = key
        self.subprotocol = subprotocol
        self.messageBytes = messageBytes
        self.kinds = kinds
        self.opened = opened
        self.received = received
        self.closed = closed
    }
}
