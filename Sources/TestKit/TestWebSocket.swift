package import HTTP
import Synchronization

/// A client of a handler's web socket without a network between them.
///
/// Callbacks run one after the other, as on the server: on the thread that sends or closes, or on the one that runs a
/// callback at that moment.
package final class TestWebSocket: Sendable {
    private enum Event {
        case opened, closed
        case message(WebSocketMessage)
    }

    private struct State {
        var messages: [WebSocketMessage] = []
        var close: WebSocketClose?
        var waiting: [Event] = []
        var isBusy = false
    }

    private static let made = Atomic<Int>(0)

    /// The answer to the handshake.
    package let response: Response
    private let upgrade: WebSocketUpgrade
    private let id = TestWebSocket.made.add(1, ordering: .relaxed).newValue
    private let state = Mutex(State())

    init(_ response: Response, _ upgrade: WebSocketUpgrade) {
        self.response = response
        self.upgrade = upgrade
        perform(.opened)
    }

    /// What has been sent to the client, the oldest first.
    package var messages: [WebSocketMessage] { state.withLock(\.messages) }

    /// The texts among ``messages``.
    package var received: [String] { messages.compactMap(\.text) }

    /// How it ended, by the first who ended it; nil while it is open.
    package var ended: WebSocketClose? { state.withLock(\.close) }

    /// The subprotocol that was agreed on.
    package var subprotocol: String? { upgrade.subprotocol }

    package func send(_ text: String) { perform(.message(.text(text))) }

    package func send(_ bytes: [UInt8]) { perform(.message(.binary(bytes))) }

    /// Closes it from the client's side.
    package func close(_ code: WebSocketCloseCode = .normal, _ reason: String = "") {
        end(WebSocketClose(code, reason))
    }

    /// Ends it as a connection does that breaks.
    package func vanish() { end(WebSocketClose(.abnormal)) }

    /// What the callbacks are handed.
    private var sender: WebSocketSender {
        WebSocketSender(
            id: id, subprotocol: upgrade.subprotocol, send: { [self] in take($0) },
            close: { [self] in end($0) }, isOpen: { [self] in ended == nil })
    }

    private func take(_ message: WebSocketMessage) -> Bool {
        state.withLock { state in
            guard state.close == nil else { return false }
            state.messages.append(message)
            return true
        }
    }

    private func end(_ close: WebSocketClose) {
        let isFirst = state.withLock { state in
            defer { state.close = state.close ?? close }
            return state.close == nil
        }
        if isFirst { perform(.closed) }
    }

    private func perform(_ event: Event) {
        state.withLock { $0.waiting.append(event) }
        while let next = takeNext() {
            run(next)
            state.withLock { $0.isBusy = false }
        }
    }

    private func takeNext() -> Event? {
        state.withLock { state in
            guard !state.isBusy, !state.waiting.isEmpty else { return nil }
            state.isBusy = true
            return state.waiting.removeFirst()
        }
    }

    private func run(_ event: Event) {
        do {
            switch event {
            case .opened: try upgrade.opened(sender)
            case .message(let message): if ended == nil { try upgrade.received(message, sender) }
            case .closed: upgrade.closed(ended ?? WebSocketClose(.abnormal), sender)
            }
        } catch {
            // As the server does; the dispatcher's journal says why.
            end(WebSocketClose(.internalError))
        }
    }
}
