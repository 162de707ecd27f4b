import HTTP
import Sockets

/// What goes to the client, and how the conversation ends.
extension Conversation {
    /// Sends what the socket takes now. False when the client cannot be reached any more.
    mutating func flush() -> Bool {
        while unsentBytes > 0 {
            let outcome = output.bytes.withUnsafeBytes {
                channel.send(UnsafeRawBufferPointer(rebasing: $0[output.sent...]))
            }
            switch outcome {
            case .moved(let count):
                output.sent += count
                if wait == .reading { since = System.uptime }
            case .mustWait:
                watchWriting()
                compactOutput()
                return true
            case .ended, .failed: return false
            }
        }
        output.sent = 0
        output.bytes.removeAll(keepingCapacity: output.bytes.capacity <= Self.mostBatchedBytes)
        return true
    }

    /// Sent bytes leave the array when they are the greater part of it, so that a slow stream's does not grow for ever.
    private mutating func compactOutput() {
        guard output.sent > unsentBytes else { return }
        output.bytes.removeSubrange(..<output.sent)
        output.sent = 0
    }

    /// Takes the thread's spare storage for the answers to come.
    mutating func borrowOutput(_ scratch: Scratch) {
        if output.bytes.capacity == 0 { swap(&output.bytes, &scratch.spare) }
    }

    /// Says why the conversation cannot go on; then it ends.
    mutating func refuse(
        _ status: Status, _ reason: String, headers: Headers = [:], _ scratch: Scratch
    ) {
        var response = Response.text(reason + "\n", status: status)
        for field in headers.fields { response.headers.add(field.name, field.value) }
        let framing = ResponseWriter.Framing(isHead: false, isHTTP10: false, keepsAlive: false)
        borrowOutput(scratch)
        ResponseWriter.write(response, framing: framing, date: scratch.date(), into: &output.bytes)
        output.isLast = true
        booking.handled = 0
    }

    /// Sends what is to be sent of an answer, and ends the connection.
    mutating func breakOff(
        _ cut: Response.Cut, _ response: Response, _ framing: ResponseWriter.Framing, _ scratch: Scratch
    ) -> Step {
        if let body = cut.body {
            var whole = response
            whole.body = .bytes(body)
            borrowOutput(scratch)
            ResponseWriter.write(whole, framing: framing, date: scratch.date(), into: &output.bytes)
            if framing.sendsBody(of: whole) { output.bytes.removeLast(max(0, body.count - cut.sent)) }
        }
        output.isLast = true
        guard cut.isReset else { return goOn(scratch) }
        _ = flush()
        channel.socket.resetOnClose()
        return .closed(nil)
    }

    mutating func turnAway(_ scratch: Scratch) -> Step {
        refuse(
            .serviceUnavailable, "all \(limits.connections) connections are in use; try again in a second",
            headers: ["Retry-After": "1"], scratch)
        return .note(.connectionsFull(peer, most: limits.connections))
    }

    /// Everything is sent: says so, and waits for the client to close.
    mutating func beginLingering() {
        channel.endWriting()
        stage = .lingering(bytes: 0)
        parser = nil
    }

    /// Throws away what still comes, within bounds.
    mutating func linger(_ bytes: Int, _ scratch: Scratch) -> Step? {
        if incoming.hasEnded || isBroken { return .closed(nil) }
        switch channel.socket.receive(into: scratch.input) {
        case .moved(let count):
            stage = .lingering(bytes: bytes + count)
            return bytes + count > Self.mostLingeringBytes ? .closed(nil) : nil
        case .mustWait: return .rest
        case .ended, .failed: return .closed(nil)
        }
    }
}
