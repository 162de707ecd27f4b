/// Reads requests from bytes as they arrive, one connection's worth. Pure: no socket, no clock.
///
/// Source: RFC 9112 (message syntax), RFC 9110 (fields and methods).
package struct RequestParser: Sendable {
    package enum Event: Sendable {
        /// Nothing whole is buffered.
        case needsMore
        /// The head asked for `100-continue` and its body has not come; said once for a request.
        case expectsContinue
        case request(Parsed)
        /// The connection cannot go on: answer with this and close.
        case refused(Refused)
    }

    package struct Parsed: Sendable {
        package let request: Request
        /// False when the client wants the connection closed after this answer.
        package let keepsAlive: Bool
        /// 1.0 clients get no chunked answers.
        package let isHTTP10: Bool
    }

    package struct Refused: Error, Sendable, Equatable {
        package let status: Status
        /// A sentence for the developer.
        package let reason: String
    }

    /// What the buffered bytes are, for the server's timers.
    package enum Phase: Sendable { case idle, head, body }

    package init(
        limits: Limits, peer: Request.Peer, bodyLimit: @escaping @Sendable (Request.Method, String) -> Int?
    ) {}

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {}

    /// The next thing that the buffered bytes say. Call until ``Event/needsMore``: pipelined requests come one by one.
    package mutating func next() -> Event { .needsMore }

    package var phase: Phase { .idle }
    /// Bytes of the present body received so far, for the minimum rate.
    package var bodyBytesReceived: Int { 0 }
}
