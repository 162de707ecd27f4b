import HTTP
import Sockets

/// The client's turns: reading what it says, up to the next thing to do.
extension Conversation {
    /// Something happened on the socket. The caller serves the conversation until the steps come to `.rest` or
    /// `.closed`, unless another thread does already.
    mutating func wake(_ readiness: Poller.Readiness, _ scratch: Scratch) -> Step {
        if readiness.contains(.broken) { isBroken = true }
        if readiness.contains(.peerEnded), incoming.end == .none { incoming.end = .seen }
        incoming.isDrained = false
        guard !isBusy else {
            turn = .threadAgain
            // A callback may take long; what it and others sent leaves meanwhile. If this fails, its thread finds out.
            if webSocket != nil { _ = flush() }
            return .rest
        }
        turn = .thread
        requestsInTurn = 0
        return goOn(scratch)
    }

    /// The handler has answered.
    mutating func answer(
        _ parsed: RequestParser.Parsed, _ response: Response, _ scratch: Scratch
    ) -> Step {
        if case .webSocket(let upgrade) = response.body, response.status == .switchingProtocols {
            return agree(upgrade, response, scratch)
        }
        if case .waiting(let wait) = response.body { return park(wait, of: parsed) }
        let framing = ResponseWriter.Framing(
            isHead: parsed.request.method == .head, isHTTP10: parsed.isHTTP10,
            keepsAlive: parsed.keepsAlive && (!context.isStopping || hasMoreToAsk))
        guard hasRoom(for: response) else { return turnAway(for: response.heldBytes, scratch) }
        if case .cut(let cut) = response.body { return breakOff(cut, response, framing, scratch) }
        borrowOutput(scratch)
        ResponseWriter.write(response, framing: framing, date: scratch.date(), into: &output.bytes)
        if case .stream(let body) = response.body, framing.sendsBody(of: response) {
            let id = context.nextStream()
            open(
                OpenStream(id: id, framing: framing, staysOpen: framing.staysOpen(after: response)))
            return .start(body, id)
        }
        if case .pieces(let pieces) = response.body, framing.sendsBody(of: response) {
            var opened = OpenStream(
                id: context.nextStream(), framing: framing, staysOpen: framing.staysOpen(after: response))
            opened.pieces = pieces
            stage = .streaming(opened)
            return goOn(scratch)
        }
        if !framing.staysOpen(after: response) { output.isLast = true }
        requestsInTurn += 1
        return goOn(scratch)
    }

    /// Goes on until something is to be done outside or the client must be waited for.
    mutating func goOn(_ scratch: Scratch) -> Step {
        while true {
            let step =
                switch stage {
                case .greeting: greet(scratch)
                case .handshaking: shakeHands(scratch)
                case .open: converse(scratch)
                case .streaming(let open): stream(open, scratch)
                case .waiting(let open): attend(open)
                case .webSocket(let socket): exchange(socket, scratch)
                case .lingering(let bytes): linger(bytes, scratch)
                }
            guard let step else { continue }
            guard case .rest = step else { return step }
            if turn == .threadAgain {
                turn = .thread
                continue
            }
            rest(scratch)
            return .rest
        }
    }

    /// Gives the buffers back and starts the clock of what comes next.
    private mutating func rest(_ scratch: Scratch) {
        turn = .client
        if output.bytes.isEmpty, output.bytes.capacity > 0 {
            if output.bytes.capacity <= Self.mostBatchedBytes { swap(&output.bytes, &scratch.spare) }
            output.bytes = []
        }
        // It is less than before, which always fits.
        _ = book()
        settle()
    }

    /// Tells TLS from HTTP by the first byte, which no request of HTTP has in common with a record of the handshake.
    private mutating func greet(_ scratch: Scratch) -> Step? {
        guard let tls = context.tls else { return .closed(nil) }
        switch channel.socket.outlook {
        case .nothing: return isBroken ? .closed(nil) : .rest
        case .ended: return .closed(nil)
        case .byte(let first):
            if first != .tlsHandshake, !context.takesTLSOnly {
                stage = .open
                return nil
            }
            if first.beginsPlainRequest { return turnAwayPlain(scratch) }
        }
        do {
            try beginTLS(tls)
            return nil
        } catch {
            return .closed(nil)
        }
    }

    private mutating func shakeHands(_ scratch: Scratch) -> Step? {
        guard let tls = channel.tls else { return .closed(nil) }
        switch tls.handshake() {
        case .moved:
            stage = .open
            return nil
        case .mustWait:
            if tls.waitsToWrite { watchWriting() }
            return .rest
        case .failed(let error):
            beginLingering()
            // What a client that does not trust us says, in OpenSSL's words: `tlsv1 alert unknown ca`. Source: RFC 8446 §6.2.
            guard let words = error.message.firstRange(of: "alert ") else { return nil }
            return .note(.notTrusted(peer, alert: String(error.message[words.upperBound...])))
        case .ended:
            beginLingering()
            return nil
        }
    }

    private mutating func converse(_ scratch: Scratch) -> Step? {
        if isSurplus, !output.isLast { return turnAway(scratch) }
        if output.isLast {
            guard flush() else { return .closed(nil) }
            if unsentBytes > 0 { return .rest }
            beginLingering()
            return nil
        }
        if unsentBytes > Self.mostBatchedBytes {
            guard flush() else { return .closed(nil) }
            if unsentBytes > 0 { return .rest }
        }
        if requestsInTurn >= Self.mostRequestsInTurn { return yield() }
        return hear(scratch)
    }

    /// Takes the next event from the parser, feeding it as the socket allows.
    private mutating func hear(_ scratch: Scratch) -> Step? {
        let event = parser?.next() ?? .needsMore
        switch event {
        case .request(let parsed):
            return handle(parsed, scratch)
        case .expectsContinue:
            if let refusal = makeRoomForBody(scratch) { return refusal }
            borrowOutput(scratch)
            output.bytes += ResponseWriter.continueBytes
            return nil
        case .refused(let fault):
            if let parsed = parser?.unread { return .respond(parsed) }
            refuse(fault.status, fault.reason, scratch)
            return .note(.noRequest(peer, fault))
        case .needsMore:
            // Until the client has taken its answers, nothing more is read from it.
            guard flush() else { return .closed(nil) }
            if unsentBytes > 0 { return .rest }
            if parser?.wantedRoom != nil { return makeRoomForBody(scratch) }
            guard book() else { return turnAway(for: scratch.input.count, scratch) }
            return read(scratch)
        }
    }

    private mutating func read(_ scratch: Scratch) -> Step? {
        if incoming.hasEnded {
            output.isLast = true
            return nil
        }
        switch receive(scratch) {
        case .bytes(let bytes):
            if channel.tls == nil, bytes.first == UInt8.tlsHandshake, phase == .idle {
                return turnAwayTLS(scratch)
            }
            feed(bytes)
        case .nothing: return .rest
        case .ended: incoming.end = .read
        case .failed: return .closed(nil)
        }
        return nil
    }

    /// What one read came to.
    enum Input {
        /// They are the thread's, until its next read.
        case bytes(UnsafeRawBufferPointer)
        case nothing, ended, failed
    }

    mutating func receive(_ scratch: Scratch) -> Input {
        if incoming.isDrained { return .nothing }
        switch channel.receive(into: scratch.input) {
        case .moved(let count):
            // A short read took all that there was, but says nothing of an end behind it.
            incoming.isDrained = count < scratch.input.count && !incoming.peerHasEnded && channel.tls == nil
            return .bytes(UnsafeRawBufferPointer(rebasing: scratch.input[..<count]))
        case .mustWait:
            incoming.isDrained = true
            if channel.tls?.waitsToWrite == true { watchWriting() }
            return .nothing
        case .ended: return .ended
        case .failed: return .failed
        }
    }

    private mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        if parser == nil {
            parser = RequestParser(
                limits: limits, peer: peer, freeBytes: limits.freeBytes, bodyLimit: context.bodyLimit)
        }
        parser?.append(bytes)
    }

    /// Lets the others have their turn before this client's next request.
    mutating func yield() -> Step {
        guard flush() else { return .closed(nil) }
        polling.isWanted = true
        return .rest
    }
}
