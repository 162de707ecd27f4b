import HTTP
import Sockets

/// What goes to the client, and how the conversation ends.
extension Conversation {
    /// Sends what the socket takes now. False when the client cannot be reached any more.
    mutating func flush() -> Bool {
        while unsentBytes > 0 {
            let outcome = output.withUnsafeBytes {
                channel.send(UnsafeRawBufferPointer(rebasing: $0[sent...]))
            }
            switch outcome {
            case .moved(let count):
                sent += count
                if wait == .reading { since = System.uptime }
            case .mustWait:
                watchWriting()
                compactOutput()
                return true
            case .ended, .failed: return false
            }
        }
        sent = 0
        output.removeAll(keepingCapacity: output.capacity <= Self.mostBatchedBytes)
        return true
    }

    /// Sent bytes leave the array when they are the greater part of it, so that a slow stream's does not grow for ever.
    private mutating func compactOutput() {
        guard sent > unsentBytes else { return }
        output.removeSubrange(..<sent)
        sent = 0
    }

    /// Takes the thread's spare storage for the answers to come.
    mutating func borrowOutput(_ scratch: Scratch) {
        if output.capacity == 0 { swap(&output, &scratch.spare) }
    }

    /// Says why the conversation cannot go on; then it ends.
    mutating func refuse(
        _ status: Status, _ reason: String, headers: Headers = [:], _ scratch: Scratch
    ) {
        var response = Response.text(reason + "\n", status: status)
        for field in headers.fields { response.headers.add(field.name, field.value) }
        let framing = ResponseWriter.Framing(isHead: false, isHTTP10: false, keepsAlive: false)
        borrowOutput(scratch)
        ResponseWriter.write(response, framing: framing, date: scratch.date(), into: &output)
        closesAfterOutput = true
        handledBytes = 0
    }

    /// Sends what is to be sent of an answer, and ends the connection.
    mutating func breakOff(
        _ cut: Response.Cut, _ response: Response, _ framing: ResponseWriter.Framing, _ scratch: Scratch
    ) -> Step {
        if let body = cut.body {
            var whole = response
            whole.body = .bytes(body)
            borrowOutput(scratch)
            ResponseWriter.write(whole, framing: framing, date: scratch.date(), into: &output)
            if framing.sendsBody(of: whole) { output.removeLast(max(0, body.count - cut.sent)) }
        }
        closesAfterOutput = true
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
        stage = .lingering
        parser = nil
    }

    /// Throws away what still comes, within bounds.
    mutating func linger(_ scratch: Scratch) -> Step? {
        if inputEnded || isBroken { return .closed(nil) }
        switch channel.socket.receive(into: scratch.input) {
        case .moved(let count):
            lingeringBytes += count
            return lingeringBytes > Self.mostLingeringBytes ? .closed(nil) : nil
        case .mustWait: return .rest
        case .ended, .failed: return .closed(nil)
        }
    }
}
