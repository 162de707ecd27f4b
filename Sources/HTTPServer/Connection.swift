import HTTP
import Sockets
import Synchronization

/// The place of one client at a time: its conversation and the lock around it. A place is used again, and lives as long as
/// the server; an event that comes late, when somebody else has the place, is known by its ``tag`` and forgotten.
final class Connection: Sendable {
    private let conversation = Mutex<Conversation?>(nil)
    private let poller: Poller

    init(_ poller: Poller) { self.poller = poller }

    /// Of an address in the memory of a program.
    private static let addressBits = 48
    private let turn = Turn()

    /// Names this place, and who has it now, to the poller: its address, and above that the client.
    var tag: UInt {
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        return address | UInt(turn.client) << Self.addressBits
    }

    /// The place that ``tag`` names. Right because the server lets no place go while a thread can still hear of it.
    static func named(_ tag: UInt) -> Connection? {
        UnsafeRawPointer(bitPattern: tag & (1 << addressBits - 1)).map {
            Unmanaged.fromOpaque($0).takeUnretainedValue()
        }
    }

    func begin(_ new: Conversation) throws {
        try conversation.withLock { held in
            turn.begin()
            try poller.watch(new.channel.socket, tag: tag)
            held = new
        }
    }

    /// Something happened on the socket of `tag`. The caller takes the steps that follow, up to `.rest` or `.closed`. It rests at once when
    /// another thread does that already, which looks before it rests itself, and when somebody else has the place by now.
    func wake(_ tag: UInt, _ readiness: Poller.Readiness, _ scratch: Scratch) -> Conversation.Step {
        guard turn.take(from: UInt16(truncatingIfNeeded: tag >> Self.addressBits), readiness) else {
            // A callback may take long; what it and others sent leaves meanwhile. If this fails, its thread finds out.
            if readiness.contains(.writable) { _ = peek { $0.webSocket == nil || $0.flush() } }
            return .rest
        }
        return step(scratch) { $0.wake(readiness, scratch) }
    }

    /// Lets `body` look at a conversation that no thread serves, and begin to serve it; nil where there is nothing to do. For who does not take
    /// requests: what comes meanwhile, a thread of the server hears of.
    func look(_ scratch: Scratch, _ body: (inout Conversation) -> Conversation.Step?) -> Conversation.Step {
        turn.take() ? go { $0.look(body, turn, scratch) } : .rest
    }

    /// Lets `body` go on with the conversation, for the thread whose turn it is; `.rest` when there is none. When it comes to `.closed`, the
    /// socket is closed and the place is free, which the caller tells the table.
    func step(_ scratch: Scratch, _ body: (inout Conversation) -> Conversation.Step) -> Conversation.Step {
        go { $0.take(body(&$0), turn, scratch) }
    }

    private func go(_ body: (inout Conversation) -> Conversation.Step) -> Conversation.Step {
        conversation.withLock { held in
            guard let step = held?.perform(body) else { return .rest }
            if case .closed = step { close(&held) } else { serveRequeue(&held) }
            return step
        }
    }

    /// Ends the conversation, whoever serves it; `.rest` when there is none.
    func end() -> Conversation.Step {
        conversation.withLock { held in
            guard let end = held?.perform({ $0.takeEnd() }) else { return .rest }
            close(&held)
            return .closed(end)
        }
    }

    /// Looks or writes, without going on.
    func peek<Result: Sendable>(_ body: (inout Conversation) -> Result) -> Result? {
        conversation.withLock { held in
            defer { serveRequeue(&held) }
            return held?.perform(body)
        }
    }

    private func close(_ held: inout Conversation?) {
        held?.giveBackMemory()
        held?.channel.close()
        held = nil
    }

    private func serveRequeue(_ held: inout Conversation?) {
        guard held?.polling.isWanted == true, let socket = held?.channel.socket else { return }
        held?.polling.isWanted = false
        held?.polling.watchesWriting = true
        poller.requeue(socket, tag: tag)
    }
}

extension Conversation {
    fileprivate mutating func perform<Result>(_ body: (inout Conversation) -> Result) -> Result {
        body(&self)
    }

    /// A step of the thread whose turn it is, which does not rest while word is left for it.
    fileprivate mutating func take(_ first: Step, _ turn: borrowing Turn, _ scratch: Scratch) -> Step {
        var step = first
        while step.isRest {
            if let word = turn.takeWord() {
                hear(word)
                step = goOn(scratch)
            } else {
                rest(scratch)
                if turn.end() {
                    isBusy = false
                    requestsInTurn = 0
                    return .rest
                }
            }
        }
        return step
    }

    fileprivate mutating func look(
        _ body: (inout Conversation) -> Step?, _ turn: borrowing Turn, _ scratch: Scratch
    ) -> Step {
        if let step = body(&self) {
            isBusy = true
            return take(step, turn, scratch)
        }
        while !turn.end() {
            if let word = turn.takeWord() { hear(word) }
            polling.isWanted = true
        }
        return .rest
    }
}

extension Conversation.Step {
    fileprivate var isRest: Bool { if case .rest = self { true } else { false } }
}
