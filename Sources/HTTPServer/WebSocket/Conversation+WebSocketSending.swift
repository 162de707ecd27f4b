import HTTP
import Sockets

/// What other threads may do.
extension Conversation {
    /// False when the socket is closed or being closed, or is now, because its client is too far behind.
    mutating func send(_ message: WebSocketMessage, to id: StreamID) -> Bool {
        guard let socket = webSocket, isOpen(id) else { return false }
        guard unsentBytes <= limits.unsentBytes, book() else {
            say(
                WebSocketClose(.policyViolation, "more than \(limits.unsentBytes) bytes wait to be read"),
                socket)
            return false
        }
        WebSocketWriter.write(message, into: &output.bytes)
        return pass(socket)
    }

    mutating func close(_ close: WebSocketClose, _ id: StreamID) {
        guard let socket = webSocket, isOpen(id) else { return }
        say(close, socket)
        _ = pass(socket)
    }

    func isOpen(_ id: StreamID) -> Bool {
        guard let socket = webSocket, socket.id == id else { return false }
        return socket.close == nil
    }

    /// Sends what was appended. An idle socket keeps no buffer.
    private mutating func pass(_ socket: OpenWebSocket) -> Bool {
        guard flush() else {
            cut(socket, "the connection broke")
            return false
        }
        if !isBusy {
            if output.bytes.isEmpty { output.bytes = [] }
            settle()
        }
        return true
    }

    /// Has a thread of the server find the connection ended, so that no other runs the callback.
    mutating func cut(_ socket: OpenWebSocket, _ reason: String) {
        socket.end(WebSocketClose(.abnormal, reason))
        channel.socket.endBoth()
        polling.isWanted = true
    }
}

extension Conversation {
    /// Looks at the clock of a socket whose client has taken all that was sent.
    mutating func checkSocketTime(_ now: Double) {
        guard let socket = webSocket else { return }
        if let sentAt = socket.closeSentAt {
            if now - max(sentAt, since) > limits.webSocketCloseSeconds {
                cut(socket, "the client did not answer the Close frame")
            }
        } else if let pingedAt = socket.pingedAt {
            if now - pingedAt > limits.webSocketPongSeconds {
                cut(socket, "the client did not answer a ping")
            }
        } else if now - socket.heardAt > limits.webSocketPingSeconds {
            socket.pingedAt = now
            WebSocketWriter.write(.ping, [], into: &output.bytes)
            _ = pass(socket)
        }
    }
}

extension WebSocketClose {
    static let stopping = WebSocketClose(.goingAway, "the server stops")
}
