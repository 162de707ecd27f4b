import HTTP
import Sockets

/// Streams: answers that go on after the handler.
///
/// A client that ends only its own direction still gets the stream; for TCP that looks the same as having closed, until
/// something is sent. So the end of a stream is a reset, a failed write, or the silence of a peer that the system
/// probes, which ends an abandoned stream that says nothing within about a minute and a half.
extension Conversation {
    private static let probeSeconds: Int32 = 15

    mutating func open(_ opened: OpenStream) {
        stage = .streaming(opened)
        channel.socket.probe(afterSeconds: Self.probeSeconds)
        if !flush() { isBroken = true }
    }

    /// `start` has returned; `end` is what it wants to be told.
    mutating func started(_ id: StreamID, end: @escaping End, _ scratch: Scratch) -> Step {
        changeStream { $0.end = end }
        return goOn(scratch)
    }

    /// The next piece of a long answer is there, or its end.
    mutating func took(
        _ piece: Result<[UInt8]?, any Error>, of id: StreamID, _ scratch: Scratch
    ) -> Step {
        guard let stream, stream.id == id else { return goOn(scratch) }
        switch piece {
        case .success(let piece?):
            ResponseWriter.writeChunk(piece, framing: stream.framing, into: &output.bytes)
            // Whoever asked first is served to the end; the others are cut short, and ask again.
            if !book() { isBroken = true }
        case .success(nil):
            ResponseWriter.writeLastChunk(framing: stream.framing, into: &output.bytes)
            changeStream { $0.isClosing = true }
        // Without its last chunk, the answer is known to be incomplete (RFC 9112 §8).
        case .failure: isBroken = true
        }
        return goOn(scratch)
    }

    /// Called from any thread. False when the client is gone, or so far behind that it is dropped.
    mutating func write(_ piece: [UInt8], to id: StreamID) -> Bool {
        guard let stream, stream.id == id, !stream.isClosing, !isBroken else { return false }
        ResponseWriter.writeChunk(piece, framing: stream.framing, into: &output.bytes)
        if flush(), unsentBytes <= limits.unsentBytes, book() {
            if !isBusy { settle() }
            return true
        }
        abandon()
        return false
    }

    /// Called from any thread: no more will be written.
    mutating func close(_ id: StreamID) {
        guard let stream, stream.id == id, !stream.isClosing, !isBroken else { return }
        ResponseWriter.writeLastChunk(framing: stream.framing, into: &output.bytes)
        changeStream { $0.isClosing = true }
        // A thread of the server goes on from here.
        if flush() { polling.isWanted = true } else { abandon() }
    }

    /// Has a thread of the server find the connection broken: nobody's end is called by its own write.
    private mutating func abandon() {
        isBroken = true
        channel.socket.endBoth()
        polling.isWanted = true
    }

    private mutating func changeStream(_ change: (inout OpenStream) -> Void) {
        guard var stream else { return }
        change(&stream)
        stage = .streaming(stream)
    }

    mutating func stream(_ stream: OpenStream, _ scratch: Scratch) -> Step? {
        if isBroken { return .closed(takeEnd()) }
        guard flush() else { return .closed(takeEnd()) }
        if let pieces = stream.pieces, !stream.isClosing {
            return unsentBytes > 0 ? .rest : .make(pieces, stream.id)
        }
        guard stream.isClosing else { return .rest }
        output.isLast = output.isLast || !stream.staysOpen || context.isStopping
        return .streamEnded(takeEnd())
    }

    /// What the owner of the stream or web socket wants to be told, for the first who asks.
    mutating func takeEnd() -> End? {
        switch stage {
        case .streaming(let stream):
            stage = .open
            return stream.end
        case .waiting(let waiting):
            stage = .open
            context.alarms.cancel(waiting)
            return { waiting.endListening() }
        case .webSocket(let socket):
            stage = .open
            return end(of: socket)
        case .greeting, .handshaking, .open, .lingering: return nil
        }
    }
}
