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
    /// How often the place was given away, counted round; changed with the lock held.
    private let turn = Atomic<UInt16>(0)
    private let notes = Notes()
    /// Whether a thread has the conversation: a hint, because trying a lock that is held is a call of the system, and another one for its
    /// holder.
    private let isInHand = Atomic<Bool>(false)

    /// Names this place, and who has it now, to the poller: its address, and above that the turn.
    var tag: UInt {
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        return address | UInt(turn.load(ordering: .relaxed)) << Self.addressBits
    }

    /// The place that ``tag`` names. Right because the server lets no place go while a thread can still hear of it.
    static func named(_ tag: UInt) -> Connection? {
        UnsafeRawPointer(bitPattern: tag & (1 << addressBits - 1)).map {
            Unmanaged.fromOpaque($0).takeUnretainedValue()
        }
    }

    func begin(_ new: Conversation) throws {
        defer { returnNoted() }
        try withConversation { held in
            turn.wrappingAdd(1, ordering: .relaxed)
            held = new
            do {
                try poller.watch(new.channel.socket, tag: tag)
            } catch {
                held = nil
                throw error
            }
        }
    }

    /// What the poller tells. No thread waits for another one here: where one has the conversation in hand, it is told, and goes on
    /// before it rests.
    ///
    /// - Parameter tag: of whom it is for; `.rest` when somebody else has the place by now.
    func hear(_ readiness: Poller.Readiness, of tag: UInt, _ scratch: Scratch) -> Conversation.Step {
        let isNoted = notes.add(readiness, for: UInt16(truncatingIfNeeded: tag >> Self.addressBits)) {
            turn.load(ordering: .acquiring)
        }
        return isNoted ? attend(scratch) : .rest
    }

    /// Lets `body` go on with the conversation; `.rest` when there is none. When it comes to `.closed`, the socket is
    /// closed and the place is free, which the caller tells the table.
    ///
    /// - Parameter scratch: of the thread; nil where it is to begin no handler, as the housekeeper's.
    func step(
        _ scratch: Scratch?, _ body: (inout Conversation) -> Conversation.Step?
    ) -> Conversation.Step {
        let step = withConversation { advance(&$0, body) }
        // After any other step this thread comes again.
        guard case .rest = step else { return step }
        if let scratch { return attend(scratch) }
        returnNoted()
        return .rest
    }

    /// Looks or writes, without going on.
    func peek<Result: Sendable>(_ body: (inout Conversation) -> Result) -> Result? {
        defer { returnNoted() }
        return withConversation { held in
            defer { serveRequeue(&held) }
            return held?.perform(body)
        }
    }

    private func withConversation<Result: Sendable>(
        _ body: (inout Conversation?) throws -> Result
    ) rethrows -> Result {
        try conversation.withLock { held in
            isInHand.store(true, ordering: .relaxed)
            defer { isInHand.store(false, ordering: .relaxed) }
            return try body(&held)
        }
    }

    private func withConversationIfFree<Result: Sendable>(
        _ body: (inout Conversation?) -> Result
    ) -> Result? {
        if isInHand.load(ordering: .relaxed) { return nil }
        return conversation.withLockIfAvailable { held in
            isInHand.store(true, ordering: .relaxed)
            defer { isInHand.store(false, ordering: .relaxed) }
            return body(&held)
        }
    }

    private func advance(
        _ held: inout Conversation?, _ body: (inout Conversation) -> Conversation.Step?
    ) -> Conversation.Step {
        guard let step = held?.perform(body) else {
            serveRequeue(&held)
            return .rest
        }
        if case .closed = step {
            held?.giveBackMemory()
            held?.channel.close()
            held = nil
        } else {
            serveRequeue(&held)
        }
        return step
    }

    // MARK: What is noted

    /// With the lock held.
    private func takeNoted() -> Poller.Readiness? { notes.take(of: turn.load(ordering: .relaxed)) }

    /// Goes on with what is noted, unless another thread has the conversation in hand.
    private func attend(_ scratch: Scratch) -> Conversation.Step {
        while !notes.isEmpty {
            let step: Conversation.Step? = withConversationIfFree { held in
                guard let readiness = takeNoted() else { return .rest }
                return advance(&held) { $0.wake(readiness, scratch) }
            }
            guard let step else { return .rest }
            guard case .rest = step else { return step }
        }
        return .rest
    }

    /// Gives what is noted back to the poller, which tells it again, for want of a thread that could go on here.
    private func returnNoted() {
        while !notes.isEmpty {
            let isDone: Void? = withConversationIfFree { held in
                if takeNoted() != nil { held?.polling.isWanted = true }
                serveRequeue(&held)
            }
            if isDone == nil { return }
        }
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

    fileprivate mutating func perform<Result>(_ body: (inout Conversation) -> Result?) -> Result? {
        body(&self)
    }
}
