import HTTP
import HTTPClient

/// A web socket of a client that is passed on to the service: messages go both ways as they are, and how one side ends is told to the other.
final class Tunnel: Sendable {
    private let socket: ClientWebSocket
    private let url: String
    /// Among the web sockets that may be open at once.
    private let place: UpstreamGate.Place
    private let waits: UpstreamWaits

    init(_ socket: ClientWebSocket, to url: String, _ place: UpstreamGate.Place, _ waits: UpstreamWaits) {
        (self.socket, self.url, self.place, self.waits) = (socket, url, place, waits)
    }

    // Nobody has begun to listen where the client was gone before it was told.
    deinit { socket.close(WebSocketClose(.abnormal)) }

    func open(_ sender: WebSocketSender) {
        do {
            try socket.listen(
                ClientWebSocket.Listener(
                    received: { sender.send($0) }, ended: { [self] in tell($0, to: sender) }))
        } catch {
            sender.close(.tryAgainLater, "no thread for the web socket to \(url)")
        }
    }

    func pass(_ message: WebSocketMessage, from sender: WebSocketSender) {
        waits.begin()
        defer { waits.end() }
        do {
            try socket.send(message)
        } catch {
            tell(WebSocketClose(.abnormal, "the connection broke"), to: sender)
        }
    }

    /// The client's side has ended.
    func end(_ close: WebSocketClose) { socket.close(close) }

    /// The service's side has.
    private func tell(_ close: WebSocketClose, to sender: WebSocketSender) {
        guard close.code == .abnormal else { return sender.close(close.code, close.reason) }
        sender.close(.badGateway, "the upstream \(url): \(close.reason)")
    }
}
