import HTTP
import Synchronization

/// Answers with web sockets and keeps what their callbacks are told.
final class SocketBox: Sendable {
    private struct State {
        var senders: [WebSocketSender] = []
        var events: [String] = []
        var closes: [WebSocketClose] = []
        var running = 0
        var mostRunning = 0
    }

    struct Failure: Error {}

    private let state = Mutex(State())
    private let messageBytes: Int
    private let kinds: WebSocketKinds
    private let received: WebSocketUpgrade.Received

    /// - Parameter received: runs for each message, which is told before it and after it.
    init(
        messageBytes: Int = WebSocketUpgrade.messageBytes, kinds: WebSocketKinds = .all,
        received: @escaping WebSocketUpgrade.Received = { $1.send($0) }
    ) {
        self.messageBytes = messageBytes
        self.kinds = kinds
        self.received = received
    }

    var senders: [WebSocketSender] { state.withLock(\.senders) }
    /// `opened`, the texts, `closed`.
    var events: [String] { state.withLock(\.events) }
    var closes: [WebSocketClose] { state.withLock(\.closes) }
    var codes: [UInt16] { closes.map(\.code.rawValue) }
    /// Callbacks that ran at once.
    var mostRunning: Int { state.withLock(\.mostRunning) }

    @Sendable func respond(_ request: Request) -> Response {
        do {
            return try request.webSocket(
                messageBytes: messageBytes, kinds: kinds,
                opened: { [self] sender in
                    run("opened") { state.withLock { $0.senders.append(sender) } }
                },
                received: { [self] message, sender in
                    try run(message.text ?? "binary") { try received(message, sender) }
                },
                closed: { [self] close, _ in run("closed") { state.withLock { $0.closes.append(close) } } })
        } catch {
            return error.response
        }
    }

    private func run(_ event: String, _ body: () throws -> Void) rethrows {
        state.withLock { state in
            state.events.append(event)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
        }
        defer { state.withLock { $0.running -= 1 } }
        try body()
    }
}
