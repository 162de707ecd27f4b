import HTTP
import Sockets

/// What becomes of a conversation when the server stops: whatever has been asked is answered, and then it ends with a word to the client,
/// since closing over a request that nobody has read would reset the connection (RFC 9112 §9.6).
extension Conversation {
    /// Seconds in which a client that has nothing under way may still say something, and then may close by itself: what it has sent
    /// before it heard of the end is on its way that long at most.
    private static let stopSeconds = 0.25

    /// Looks at a conversation of a server that stops; called again and again until it has ended. `nil` when the rest is left to come.
    mutating func checkStop(_ now: Double, _ scratch: Scratch) -> Step? {
        // A long answer is given to its end.
        if let stream, stream.pieces == nil { close(stream.id) }
        if let id = webSocket?.id { close(.stopping, id) }
        if isBusy { return nil }
        // A thread of the server asks for its last answer.
        if waiting != nil { polling.isWanted = true }
        let isOver = now - max(since, context.stoppedAt) > Self.stopSeconds
        switch wait {
        case .nextRequest where isOver:
            output.isLast = true
            turn = .thread
            return goOn(scratch)
        case .handshake where isOver, .goodbye where isOver: return .closed(nil)
        case .nextRequest, .handshake, .goodbye, .head, .body, .reading, .frames, .nothing: return nil
        }
    }

    /// Whether the client has sent more than the request that is being answered. While the server stops, such a connection stays open for
    /// that much.
    var hasMoreToAsk: Bool { (parser?.bufferedBytes ?? 0) > 0 || channel.socket.firstByte != nil }
}
