/// The server's end of an open web socket. Any thread may use it at any time, and nothing waits.
///
/// What a slow client has not taken is kept for it. Once more than ``Limits/unsentBytes`` wait, the next message is not
/// taken: the socket is closed with 1008.
package struct WebSocketSender: Sendable, Identifiable {
    /// Unlike that of every other socket of the server.
    package let id: Int
    /// The subprotocol that client and handler agreed on.
    package let subprotocol: String?

    private let take: @Sendable (WebSocketMessage) -> Bool
    private let end: @Sendable (WebSocketClose) -> Void
    private let check: @Sendable () -> Bool

    package init(
        id: Int, subprotocol: String?, send: @escaping @Sendable (WebSocketMessage) -> Bool,
        close: @escaping @Sendable (WebSocketClose) -> Void, isOpen: @escaping @Sendable () -> Bool
    ) {
        self.id = id
        self.subprotocol = subprotocol
        take = send
        end = close
        check = isOpen
    }

    /// - Returns: false when the socket is closed, is being closed, or is closed now because its client is too slow.
    @discardableResult
    package func send(_ message: WebSocketMessage) -> Bool { take(message) }

    @discardableResult
    package func send(_ text: String) -> Bool { take(.text(text)) }

    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool { take(.binary(bytes)) }

    /// Says goodbye. Nothing is sent or heard after it; `closed` is called when the client has answered, or its time is over.
    /// Does nothing when the socket is closed or being closed.
    package func close(_ code: WebSocketCloseCode = .normal, _ reason: String = "") {
        end(WebSocketClose(code, reason))
    }

    /// Whether a message could be sent at this moment.
    package var isOpen: Bool { check() }
}
