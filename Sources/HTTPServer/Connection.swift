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
        try conversation.withLock { held in
            turn.wrappingAdd(1, ordering: .relaxed)
            try poller.watch(new.channel.socket, tag: tag)
            held = new
        }
    }

    /// Lets `body` go on with the conversation; `.rest` when there is none. When it comes to `.closed`, the socket is
    /// closed and the place is free, which the caller tells the table.
    ///
    /// - Parameter tag: of whom it is for; `.rest` when somebody else has the place by now.
    func step(
        of tag: UInt? = nil, _ body: (inout Conversation) -> Conversation.Step?
    ) -> Conversation.Step {
        conversation.withLock { held in
            if let tag, tag != self.tag { return .rest }
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
    }

    /// Looks or writes, without going on.
    func peek<Result: Sendable>(_ body: (inout Conversation) -> Result) -> Result? {
        conversation.withLock { held in
            defer { serveRequeue(&held) }
            return held?.perform(body)
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
