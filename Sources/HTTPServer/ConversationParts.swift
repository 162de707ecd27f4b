import HTTP

// What a conversation is made of.

/// Whose turn it is.
enum Turn {
    case client
    /// A thread is at work for it, maybe in a handler.
    case thread
    /// And something has happened on the socket meanwhile, which that thread looks at before it rests.
    case threadAgain
}

/// What is known of that which comes.
struct Incoming {
    enum End {
        case none
        /// The poller has seen it; there may be something to read before it.
        case seen
        /// It has been read up to there.
        case read
    }

    /// Everything that had come has been read.
    var isDrained = false
    var end = End.none

    var peerHasEnded: Bool { end != .none }
    var hasEnded: Bool { end == .read }
}

/// What the client is to get.
struct Output {
    var bytes: [UInt8] = []
    /// How much of `bytes` is sent.
    var sent = 0
    /// The connection ends when all is sent.
    var isLast = false
    /// The housekeeper was asked to send what a waiting handler holds up.
    var isDeferred = false

    var unsent: Int { bytes.count - sent }
}

/// What the poller reports.
struct Polling {
    /// It is to report once more what the socket is ready for.
    var isWanted = false
    /// It reports when the socket becomes writable.
    var watchesWriting = false
}

/// Memory, in bytes.
struct Booking {
    /// What the budget of all clients knows of.
    var booked = 0
    /// What the request that is being handled takes, with what is made of it.
    var handled = 0
}

/// An answer that is still being made.
struct OpenStream {
    let id: StreamID
    let framing: ResponseWriter.Framing
    let staysOpen: Bool
    var end: (@Sendable () -> Void)?
    /// What makes the rest of it; nil for a stream, which comes by itself.
    var pieces: BodyPieces?
    var isClosing = false
}
