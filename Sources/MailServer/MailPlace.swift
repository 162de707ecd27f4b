import Mail
import Sockets
import Synchronization

/// The place of one client at a time. A place is used again and lives as long as the server, so that an event that comes late finds
/// somebody else's session at worst, which takes it for a question whether there is something to do.
///
/// Unchecked: `session` is touched only by the thread that ``enter()`` has let in, until it leaves.
final class MailPlace: @unchecked Sendable {
    private enum Occupancy { case free, quiet, busy, signalled }

    private let occupancy = Mutex(Occupancy.free)
    private var session: MailSession?
    private let poller: Poller
    private let receiver: any MailReceiver

    init(_ poller: Poller, _ receiver: any MailReceiver) { (self.poller, self.receiver) = (poller, receiver) }

    /// Names this place to the poller.
    private var tag: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    /// The place that ``tag`` names. Right because the server lets no place go while a thread can still hear of it.
    static func named(_ tag: UInt) -> MailPlace? {
        UnsafeRawPointer(bitPattern: tag).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// ``serve(_:)`` is to follow.
    ///
    /// - Throws: when the socket cannot be watched; it is not closed then.
    func begin(_ new: MailSession) throws {
        // While the place counts as free, events find nobody; whatever they tell, the first service sees it.
        try poller.watch(new.channel.socket, tag: tag)
        session = new
        occupancy.withLock { $0 = .quiet }
    }

    /// Serves the session as far as it goes, unless another thread does.
    ///
    /// - Returns: true when the place has become free.
    func serve(_ scratch: MailScratch) -> Bool { enter(orSignal: true) && goOn(from: nil, scratch) }

    /// Looks at the session, where no thread serves it, and serves it where `body` wants something done.
    ///
    /// - Returns: true when the place has become free.
    func check(_ scratch: MailScratch, _ body: (inout MailSession) -> MailSession.Step?) -> Bool {
        guard enter(orSignal: false) else { return false }
        let step = session.flatMapInPlace(body)
        if step == nil, leave(.rest) { return false }
        return goOn(from: step, scratch)
    }

    /// On the thread that has entered.
    private func goOn(from first: MailSession.Step?, _ scratch: MailScratch) -> Bool {
        session?.beginTurn()
        var first = first
        while true {
            let step = first ?? session?.goOn(scratch) ?? .closed
            first = nil
            switch step {
            case .take(let envelope, let mail):
                guard let client = session?.client else { break }
                session?.answer(receiver.take(mail, envelope, from: client))
            case .note(let fault):
                if let session { receiver.note(fault, session.envelope, from: session.client) }
            case .goOn: break
            case .closed:
                session?.close()
                session = nil
                occupancy.withLock { $0 = .free }
                return true
            case .yield, .rest:
                if leave(step) { return false }
                session?.beginTurn()
            }
        }
    }

    private func enter(orSignal signals: Bool) -> Bool {
        occupancy.withLock { occupancy in
            switch occupancy {
            case .free, .signalled: return false
            case .busy:
                if signals { occupancy = .signalled }
                return false
            case .quiet:
                occupancy = .busy
                return true
            }
        }
    }

    /// False when something has happened meanwhile, so that the session goes on.
    private func leave(_ step: MailSession.Step) -> Bool {
        let socket = session?.channel.socket
        var wantsReport = session?.waitsToWrite ?? false
        if case .yield = step { wantsReport = true }
        return occupancy.withLock { occupancy in
            guard occupancy == .busy else {
                occupancy = .busy
                return false
            }
            occupancy = .quiet
            // With the lock held: nobody can close the socket meanwhile.
            if wantsReport, let socket { poller.requeue(socket, tag: tag) }
            return true
        }
    }
}

extension MailSession? {
    fileprivate mutating func flatMapInPlace(_ body: (inout MailSession) -> MailSession.Step?) -> MailSession
        .Step?
    {
        guard var session = self else { return nil }
        self = nil
        defer { self = session }
        return body(&session)
    }
}
