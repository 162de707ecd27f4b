import HTTP
import Sockets

/// A conversation in frames instead of requests. Source: RFC 6455.
extension Conversation {
    /// The handler has agreed: the head of the answer goes out, and frames follow it.
    mutating func agree(_ upgrade: WebSocketUpgrade, _ response: Response, _ scratch: Scratch) -> Step {
        var response = response
        let framing = ResponseWriter.Framing(isHead: false, isHTTP10: false, keepsAlive: true)
        do {
            response.headers["Sec-WebSocket-Accept"] = try WebSocketAccept.value(for: upgrade.key)
        } catch {
            refuse(.internalServerError, "web sockets cannot be opened: \(error)", scratch)
            return goOn(scratch)
        }
        borrowOutput(scratch)
        ResponseWriter.write(response, framing: framing, date: scratch.date(), into: &output.bytes)
        return .upgrade(upgrade, context.nextStream())
    }

    mutating func begin(_ socket: OpenWebSocket) -> Step {
        stage = .webSocket(socket)
        requestsInTurn = 0
        // A client that does not wait for the answer has sent frames already.
        parser?.takeRest().withUnsafeBytes { socket.hear($0) }
        parser = nil
        if context.isStopping { say(.stopping, socket) }
        // If this fails, reading finds out.
        _ = flush()
        return deliver(.opened, to: socket)
    }

    private func deliver(_ event: OpenWebSocket.Event, to socket: OpenWebSocket) -> Step {
        socket.isInCallback = true
        return .deliver(event, socket)
    }

    /// A callback has returned.
    mutating func delivered(_ isContent: Bool, _ scratch: Scratch) -> Step {
        if let socket = webSocket {
            socket.isInCallback = false
            if !isContent { fail(WebSocketClose(.internalError, "the server failed"), socket) }
        }
        return goOn(scratch)
    }

    /// Reads frames and answers those that no callback is asked about.
    mutating func exchange(_ socket: OpenWebSocket, _ scratch: Scratch) -> Step? {
        guard flush() else { return .closed(takeEnd()) }
        if socket.isOver { return finish() }
        // A client that does not read is not heard either.
        if unsentBytes > Self.mostBatchedBytes { return .rest }
        if requestsInTurn >= Self.mostRequestsInTurn { return yield() }
        do {
            let event = try socket.reader.next()
            if event == .needsMore { return receive(socket, scratch) }
            requestsInTurn += 1
            return take(event, socket, scratch)
        } catch {
            fail(WebSocketClose(error.code, error.reason), socket)
            return nil
        }
    }

    private mutating func receive(_ socket: OpenWebSocket, _ scratch: Scratch) -> Step? {
        switch receive(scratch) {
        case .bytes(let bytes):
            // A message's storage may double, and a text is made of it.
            guard book(more: 2 * (socket.reader.bufferedBytes + bytes.count)) else {
                fail(WebSocketClose(.tryAgainLater, "no memory for a message"), socket)
                return nil
            }
            socket.hear(bytes)
            return nil
        case .nothing: return .rest
        case .ended, .failed: return .closed(takeEnd())
        }
    }

    private mutating func take(_ event: WebSocketReader.Event, _ socket: OpenWebSocket, _ scratch: Scratch)
        -> Step?
    {
        if event.isControl, socket.isFlooded(most: limits.webSocketControlFrames) {
            fail(
                WebSocketClose(
                    .policyViolation,
                    "more than \(limits.webSocketControlFrames) pings and pongs came within a second"),
                socket)
            return nil
        }
        switch event {
        // Behind a Close frame of ours nothing is listened to.
        case .message(let message): return socket.close == nil ? deliver(.message(message), to: socket) : nil
        case .ping(let payload):
            if socket.close == nil {
                borrowOutput(scratch)
                WebSocketWriter.write(.pong, payload, into: &output.bytes)
            }
        case .close(let close):
            if socket.closeSentAt == nil { say(close, socket) }
            socket.isOver = true
        case .pong, .needsMore: break
        }
        return nil
    }

    /// Ends it without waiting for the client's consent. Source: RFC 6455 §7.1.7.
    private mutating func fail(_ close: WebSocketClose, _ socket: OpenWebSocket) {
        if socket.closeSentAt == nil { say(close, socket) }
        socket.isOver = true
    }

    /// Appends our Close frame, once.
    mutating func say(_ close: WebSocketClose, _ socket: OpenWebSocket) {
        socket.end(close)
        socket.closeSentAt = System.uptime
        WebSocketWriter.write(close, into: &output.bytes)
    }

    /// Both Close frames are there, or ours need not wait: the connection ends like any other, when all is sent.
    private mutating func finish() -> Step {
        output.isLast = true
        return .streamEnded(takeEnd())
    }

    /// What the socket's owner is told. When a callback runs at this moment, its thread tells it.
    func end(of socket: OpenWebSocket) -> End? {
        socket.end(WebSocketClose(.abnormal, "the connection ended without a Close frame"))
        guard !socket.isInCallback else {
            socket.cutOffFromCallback()
            return nil
        }
        return { socket.tellClosed() }
    }
}

extension WebSocketReader.Event {
    /// Whether it is a ping or a pong.
    fileprivate var isControl: Bool {
        switch self {
        case .ping, .pong: true
        case .message, .close, .needsMore: false
        }
    }
}
