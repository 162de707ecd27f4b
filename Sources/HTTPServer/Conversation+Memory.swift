import HTTP
import Sockets

/// What a client has us hold is booked in the budget of all clients before it is allocated.
extension Conversation {
    /// Bytes that are held for this client: what has come of a request, the request that is being handled, what is still to be sent. Nothing
    /// while it is as little as every connection may have.
    private mutating func heldBytes() -> Int {
        var held = booking.handled + (parser?.heldBytes ?? 0)
        if case .webSocket(let socket) = stage { held += socket.reader.heldBytes }
        if output.bytes.capacity > Self.mostBatchedBytes { held += output.bytes.capacity }
        return held <= limits.freeBytes ? 0 : held
    }

    /// Books what is held, and `more` that is about to be. False when all clients together hold too much.
    mutating func book(more: Int = 0) -> Bool {
        let held = heldBytes() + more
        return held == booking.booked || context.memory.book(held, inPlaceOf: &booking.booked)
    }

    /// The client is gone, with all that it had us hold.
    mutating func giveBackMemory() {
        if booking.booked > 0 { _ = context.memory.book(0, inPlaceOf: &booking.booked) }
    }

    /// Gets the body that is coming the room that it needs, where it needs more; the step that refuses it when there is none.
    mutating func makeRoomForBody(_ scratch: Scratch) -> Step? {
        guard let wanted = parser?.wantedRoom else { return nil }
        guard book(more: wanted) else { return turnAway(for: wanted, scratch) }
        parser?.grantRoom()
        // Of a body that grows, the smaller storage is free again.
        _ = book()
        return nil
    }

    /// A whole request is there. Its handler copies of it what it makes of it.
    mutating func handle(_ parsed: RequestParser.Parsed, _ scratch: Scratch) -> Step {
        let (body, free) = (parsed.request.body.count, limits.freeBytes)
        let needed = body <= free ? 0 : body + parsed.request.handlingBytes
        booking.handled = needed
        guard book() else {
            booking.handled = 0
            return turnAway(for: needed, scratch)
        }
        return .respond(parsed)
    }

    /// The answer takes the place of the request. False when there is no memory to send it from.
    mutating func hasRoom(for response: Response) -> Bool {
        booking.handled = 0
        let size = response.heldBytes
        return book(more: size > Self.mostBatchedBytes ? size : 0)
    }

    /// Refuses what needs `bytes` that are not there: for now, or for ever where it is more than there is at all.
    mutating func turnAway(for bytes: Int, _ scratch: Scratch) -> Step {
        let most = context.memory.most
        parser = nil
        if bytes > most {
            refuse(
                .contentTooLarge,
                "this request takes \(bytes) bytes of memory, more than the \(most) that there are for bodies and answers of all clients",
                scratch)
        } else {
            refuse(
                .serviceUnavailable,
                "bodies and answers of all clients take up the \(most) bytes of memory for them; try again in a second",
                headers: ["Retry-After": "1"], scratch)
        }
        return .note(.memoryFull(peer, needed: bytes, most: most))
    }
}

extension Response {
    /// Bytes of memory that it takes while it waits to be read.
    var heldBytes: Int {
        if case .pieces = body { return Self.bytesOfPieces }
        return bytes.count
    }

    /// Of a long answer, one piece is held at a time, in storage that grows by doubling, beside what it is made from.
    private static let bytesOfPieces = 256 * 1024
}

extension Request {
    /// Bytes that handlers make of the body at most, at one time: a text, and values of JSON or a form, each an element of its own.
    var handlingBytes: Int {
        // Whatever begins or parts values; other content has few of them.
        let parts = body.count { $0 == 0x2C || $0 == 0x5B || $0 == 0x7B || $0 == 0x3A || $0 == 0x26 }
        return 2 * body.count + parts * Self.bytesOfValue
    }

    private static let bytesOfValue = 64
}
