import Essentials

/// One answer. `Content-Length`, `Date` and the connection's fields are added when it is written.
package struct Response: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Open-ended: the server starts the stream when the head is written, and it costs no thread afterwards.
        case stream(BodyStream)
        /// Long: made in pieces, each when the client has taken those before it.
        case pieces(BodyPieces)
        /// No body: with status 101, the connection turns into a web socket.
        case webSocket(WebSocketUpgrade)
        /// Not there yet; status and fields are those of the answer that comes.
        case waiting(Wait)
        /// Broken off on purpose, and the connection with it.
        case cut(Cut)
    }

    /// How an answer is broken off, as a network does it.
    package struct Cut: Sendable, Equatable {
        /// Of which the head says the length; nil where not even the head is sent.
        package let body: [UInt8]?
        /// Bytes of it that are sent.
        package let sent: Int
        /// Whether the connection is reset; else it is closed.
        package let isReset: Bool

        package init(body: [UInt8], sent: Int) { (self.body, self.sent, isReset) = (body, sent, false) }

        package init(isReset: Bool) { (body, sent, self.isReset) = (nil, 0, isReset) }
    }

    package var status: Status
    package var headers: Headers
    package var body: Body
    /// Why, in sentences: for the log of the program alone, never sent.
    package var explanation: String?
    /// The request's target as a log may have it, where what came is nobody's business: for the log of the program alone.
    package var loggedTarget: String?
    /// Whether another server gave it, whose fields stay as they are.
    package var isPassedOn = false
    /// The code of an error that the body, a form, carries to somebody else. Never sent.
    package var errorInBody: String?

    package init(status: Status = .ok, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    /// The whole body; empty for one that is not sent whole, or not there yet.
    package var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}

extension Response {
    package static func json(_ output: some Encodable, status: Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: status, headers: ["Content-Type": "application/json"],
            body: [UInt8](try encoder.encode(output)))
    }

    package static func text(_ text: String, status: Status = .ok) -> Response {
        Response(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: [UInt8](text.utf8))
    }

    package static func html(_ html: String, status: Status = .ok) -> Response {
        Response(
            status: status, headers: ["Content-Type": "text/html; charset=utf-8"], body: [UInt8](html.utf8))
    }

    package static let noContent = Response(status: .noContent)

    /// Server-sent events: `start` is called once the head is on its way.
    package static func events(_ start: @escaping BodyStream.Start) -> Response {
        var response = Response(
            // nginx would keep events until it has some kilobytes: ngx_http_proxy_module, “proxy_buffering”.
            headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
            ])
        response.body = .stream(BodyStream(start: start))
        return response
    }
}

/// A long body, of which the server asks for piece after piece. Between two of them it sees whether anybody still reads.
package struct BodyPieces: Sendable {
    /// The next piece; nil after the last. It is called by one thread at a time, never again after nil or an error, and not to the end when the client
    /// has gone. An error breaks the answer off, so that the client sees that something is missing.
    package let next: @Sendable () throws -> [UInt8]?

    package init(next: @escaping @Sendable () throws -> [UInt8]?) { self.next = next }
}

/// A body that is written piece by piece, from any thread, for as long as the client listens.
package struct BodyStream: Sendable {
    /// Called once with the writer; what it returns is called once when the stream has ended, whoever ended it.
    package typealias Start = @Sendable (Writer) -> @Sendable () -> Void

    package let start: Start
    package init(start: @escaping Start) { self.start = start }

    /// The writing end. Both closures may be called from any thread and never wait.
    package struct Writer: Sendable {
        /// Queues bytes for the client. False when the client is gone, or so far behind that it was dropped.
        package let write: @Sendable ([UInt8]) -> Bool
        /// Ends the body cleanly.
        package let close: @Sendable () -> Void

        package init(write: @escaping @Sendable ([UInt8]) -> Bool, close: @escaping @Sendable () -> Void) {
            self.write = write
            self.close = close
        }
    }
}
