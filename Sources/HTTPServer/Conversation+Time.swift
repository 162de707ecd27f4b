import HTTP
import Sockets

/// What a client may take its time for, and how long.
extension Conversation {
    /// Sets what is waited for; its clock starts anew unless it goes on with the same.
    mutating func settle() {
        let next = present()
        if next != wait || requestsInTurn > 0 || next == .nextRequest { since = System.uptime }
        requestsInTurn = 0
        wait = next
    }

    private mutating func present() -> Wait {
        if case .lingering = stage { return .goodbye }
        if unsentBytes > 0 { return .reading }
        switch stage {
        case .greeting, .handshaking: return .handshake
        case .streaming, .waiting, .lingering: return .nothing
        case .webSocket: return .frames
        case .open:
            switch phase {
            case .idle: return .nextRequest
            case .head: return .head
            case .body: return .body
            }
        }
    }

    /// Looks at the clock, for a conversation that no thread serves. `nil` when there is time left.
    mutating func checkTime(_ now: Double, _ scratch: Scratch) -> Step? {
        if isBusy { return nil }
        let elapsed = now - since
        switch wait {
        case .nothing: return nil
        case .nextRequest: return elapsed > limits.keepAliveSeconds ? .closed(nil) : slim(elapsed)
        case .handshake: return elapsed > limits.headSeconds ? .closed(nil) : nil
        case .frames:
            checkSocketTime(now)
            return nil
        case .reading: return elapsed > limits.sendSeconds ? giveUp() : nil
        case .goodbye: return elapsed > Self.lingerSeconds ? .closed(nil) : nil
        case .head:
            guard elapsed > limits.headSeconds else { return nil }
            return refuseLate(
                "the head of the request was not complete after \(limits.headSeconds) seconds", scratch)
        case .body:
            guard elapsed > limits.bodyGraceSeconds else { return nil }
            let rate = Double(parser?.bodyBytesReceived ?? 0) / elapsed
            guard rate < limits.bodyBytesPerSecond else { return nil }
            return refuseLate(
                "the body came with fewer than \(limits.bodyBytesPerSecond) bytes a second", scratch)
        }
    }

    /// The client takes nothing of what it is sent.
    private mutating func giveUp() -> Step? {
        guard let webSocket else { return .closed(takeEnd()) }
        cut(webSocket, "the client reads nothing")
        return nil
    }

    private mutating func refuseLate(_ reason: String, _ scratch: Scratch) -> Step {
        refuse(.requestTimeout, reason, scratch)
        turn = .thread
        return goOn(scratch)
    }

    /// A client that has been quiet for a while needs no parser.
    private mutating func slim(_ elapsed: Double) -> Step? {
        if elapsed > 1 { parser = nil }
        return nil
    }

}
