import Mail
import Sockets

/// One client's session while its connection is open; ``MailPlace`` lets one thread at a time use it. Nothing here waits.
struct MailSession {
    /// What is to be done by the place, or outside of the session.
    enum Step {
        case take(Envelope, [UInt8])
        case note(MailFault)
        /// Nothing outside; the session goes on.
        case goOn
        /// The client's turn; a thread is needed no longer.
        case rest
        /// Others have their turn; the poller is to report once more.
        case yield
        case closed
    }

    private enum Stage { case handshaking, open, lingering }

    /// Mails of one client before others have their turn.
    private static let mostInTurn = 64
    private static let mostBatchedBytes = 64 * 1024
    private static let lingerSeconds = 2.0
    private static let mostLingeringBytes = 64 * 1024 * 1024
    /// Bytes of a mail that take nothing of the memory for all mails.
    static let freeBytes = 16 * 1024
    /// How many times the bytes of a mail are held while it is handled: as it came, as it is kept, taken apart, and in the database's hands.
    private static let copies = 5

    let context: MailContext
    let client: MailClient
    private(set) var channel: Channel
    private(set) var dialogue: MailDialogue
    private var stage = Stage.open
    private var sent = 0
    private var bookedBytes = 0
    private var lingeringBytes = 0
    private var mailsInTurn = 0
    /// The poller must report when the socket can be written.
    private(set) var waitsToWrite = false
    /// All times are of ``System/uptime``.
    private let begunAt: Double
    private var heardAt: Double
    private var mailBegunAt: Double?
    private var sentAt: Double

    init(_ context: MailContext, _ socket: Socket, _ client: MailClient) {
        self.context = context
        self.client = client
        channel = Channel(socket: socket)
        dialogue = MailDialogue(limits: context.limits, offersTLS: context.tls != nil)
        begunAt = System.uptime
        (heardAt, sentAt) = (begunAt, begunAt)
    }

    var envelope: Envelope { dialogue.envelope }

    /// One connection too many: it is told so.
    mutating func turnAway(_ fault: MailFault) {
        dialogue.output = []
        dialogue.end(fault)
    }

    /// What became of the mail that was given out.
    mutating func answer(_ outcome: Result<String, MailFault>) {
        _ = dialogue.answer(outcome)
        settleMail()
        mailsInTurn += 1
    }

    mutating func beginTurn() { mailsInTurn = 0 }

    /// Goes on until something is to be done outside or the client must be waited for.
    mutating func goOn(_ scratch: MailScratch) -> Step {
        waitsToWrite = false
        while true {
            let step =
                switch stage {
                case .handshaking: shakeHands()
                case .open: converse(scratch)
                case .lingering: linger(scratch)
                }
            if let step { return step }
        }
    }

    private mutating func converse(_ scratch: MailScratch) -> Step? {
        if dialogue.output.count - sent > Self.mostBatchedBytes, let step = flush() { return step }
        if mailsInTurn >= Self.mostInTurn { return .yield }
        switch dialogue.next() {
        case .mail(let envelope, let mail): return take(envelope, mail)
        case .refused(let fault):
            settleMail()
            return .note(fault)
        case .startTLS: return beginTLS()
        case .over:
            // Before the client hears it: who comes next finds the room free.
            settleMail()
            if let step = flush() { return step }
            channel.endWriting()
            stage = .lingering
            heardAt = System.uptime
            return nil
        case .needsMore:
            if let step = flush() { return step }
            guard let wanted = dialogue.wantedRoom else {
                settleMail()
                return read(scratch)
            }
            guard book(dialogue.heldBytes + wanted) else {
                let fault = MailFault.memoryFull(context.budget.most)
                dialogue.end(fault)
                return .note(fault)
            }
            dialogue.grantRoom()
            return nil
        }
    }

    /// Gives a whole mail out, where there is memory for what is made of it.
    private mutating func take(_ envelope: Envelope, _ mail: [UInt8]) -> Step? {
        guard mail.count <= Self.freeBytes || book(mail.count * Self.copies) else {
            let fault = MailFault.memoryFull(context.budget.most)
            dialogue.end(fault)
            return .note(fault)
        }
        mailBegunAt = nil
        return .take(envelope, mail)
    }

    private mutating func book(_ bytes: Int) -> Bool { context.budget.book(bytes, inPlaceOf: &bookedBytes) }

    private mutating func read(_ scratch: MailScratch) -> Step? {
        switch channel.receive(into: scratch.input) {
        case .moved(let count):
            heardAt = System.uptime
            dialogue.append(UnsafeRawBufferPointer(rebasing: scratch.input[..<count]))
            return nil
        case .mustWait:
            waitsToWrite = channel.tls?.waitsToWrite ?? false
            return .rest
        // What was sent completely is obeyed already.
        case .ended, .failed: return .closed
        }
    }

    private mutating func beginTLS() -> Step? {
        if let step = flush() { return step }
        guard let tls = context.tls, let session = try? TLSSession(tls, over: channel.socket) else {
            // Without memory for a session the client must try again.
            return .closed
        }
        channel = Channel(socket: channel.socket, tls: session)
        stage = .handshaking
        heardAt = System.uptime
        return nil
    }

    private mutating func shakeHands() -> Step? {
        guard let tls = channel.tls else { return .closed }
        switch tls.handshake() {
        case .moved:
            dialogue.beginTLS()
            stage = .open
            return nil
        case .mustWait:
            waitsToWrite = tls.waitsToWrite
            return .rest
        case .ended, .failed: return .closed
        }
    }

    /// Sends what the socket takes now. Nil when all is sent.
    private mutating func flush() -> Step? {
        while sent < dialogue.output.count {
            let outcome = dialogue.output.withUnsafeBytes {
                channel.send(UnsafeRawBufferPointer(rebasing: $0[sent...]))
            }
            switch outcome {
            case .moved(let count):
                sent += count
                sentAt = System.uptime
            case .mustWait:
                waitsToWrite = true
                return .rest
            case .ended, .failed: return .closed
            }
        }
        dialogue.output.removeAll(keepingCapacity: sent <= Self.mostBatchedBytes)
        sent = 0
        return nil
    }

    /// Throws away what still comes, so that the last reply is not lost to a reset.
    private mutating func linger(_ scratch: MailScratch) -> Step? {
        switch channel.socket.receive(into: scratch.input) {
        case .moved(let count):
            lingeringBytes += count
            return lingeringBytes > Self.mostLingeringBytes ? .closed : nil
        case .mustWait: return .rest
        case .ended, .failed: return .closed
        }
    }

    /// Books what an unfinished mail holds, which is as much as before or less, and notes when it began.
    private mutating func settleMail() {
        mailBegunAt = dialogue.isInMail ? mailBegunAt ?? System.uptime : nil
        let held = dialogue.heldBytes
        let booked = held > Self.freeBytes ? held : 0
        if booked != bookedBytes { _ = book(booked) }
    }

    mutating func close() {
        if bookedBytes > 0 { _ = book(0) }
        channel.tls?.endWriting()
        channel.close()
    }
}

/// What a client may take its time for, and the end of the server.
extension MailSession {
    /// Seconds in which a client may still say something when the server stops: what it sent before is on its way that long at most.
    private static let stopSeconds = 0.25

    /// Looks at the clock; nil when there is time left.
    mutating func checkTime(_ now: Double) -> Step? {
        let limits = context.limits
        switch stage {
        case .lingering: return now - heardAt > Self.lingerSeconds ? .closed : nil
        case .handshaking: return now - heardAt > limits.sendSeconds ? .closed : nil
        case .open: break
        }
        if sent < dialogue.output.count { return now - sentAt > limits.sendSeconds ? .closed : nil }
        if !dialogue.isInMail, now - heardAt > 1 { dialogue.slim() }
        guard let reason = lateness(now) else { return nil }
        let fault = MailFault.late(reason)
        dialogue.end(fault)
        return .note(fault)
    }

    private func lateness(_ now: Double) -> String? {
        let limits = context.limits
        if let mailBegunAt {
            if now - heardAt > limits.dataSeconds {
                return "nothing came of the mail for \(limits.dataSeconds) seconds"
            }
            return now - mailBegunAt > limits.mailSeconds
                ? "the mail took more than \(limits.mailSeconds) seconds" : nil
        }
        if now - heardAt > limits.commandSeconds {
            return "no command came for \(limits.commandSeconds) seconds"
        }
        return now - begunAt > limits.sessionSeconds
            ? "the session lasted more than \(limits.sessionSeconds) seconds" : nil
    }

    /// A mail that has begun may be finished, while there is time; a session without one ends.
    mutating func checkStop(_ now: Double) -> Step? {
        guard stage != .lingering || now - heardAt <= Self.stopSeconds else { return .closed }
        guard stage == .open, !dialogue.isInMail, now - max(heardAt, context.stoppedAt) > Self.stopSeconds
        else { return nil }
        dialogue.end(.stopping)
        return .goOn
    }
}

/// What one thread lends to the session that it serves.
final class MailScratch {
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    deinit { input.deallocate() }
}
