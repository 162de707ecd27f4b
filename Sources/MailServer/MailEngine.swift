import Mail
import Sockets
import Synchronization

/// What the threads of a mail server work on together.
final class MailEngine: Sendable {
    /// Clients beyond the limit that are told so; who comes beyond these is cut off.
    private static let mostTurnedAway = 64
    private static let mostAccepted = 64
    /// Seconds between two looks at the clock.
    private static let tick = 0.25

    private struct Places {
        var all: [MailPlace] = []
        var free: [MailPlace] = []
        var taken: Int { all.count - free.count }
    }

    private let context: MailContext
    private let poller: Poller
    private let receiver: any MailReceiver
    private let acceptors: [Acceptor]
    private let places = Mutex(Places())
    /// Acceptors that wait for descriptors to become free.
    private let paused = Mutex<Set<UInt>>([])
    /// Calls the thread that looks at the clock.
    private let wakeup = Wakeup()
    private let over = Atomic<Bool>(false)

    init(_ context: MailContext, _ listeners: [Listener], _ receiver: any MailReceiver) throws {
        self.context = context
        self.receiver = receiver
        poller = try Poller()
        acceptors = listeners.map { Acceptor($0) }
    }

    private var isOver: Bool { over.load(ordering: .acquiring) }

    func openAcceptors() throws {
        for (index, acceptor) in acceptors.enumerated() { try acceptor.watch(by: poller, tag: UInt(index)) }
    }

    /// - Throws: when the system has no threads left; those that it had end.
    func hire() throws -> [Thread] {
        var threads: [Thread] = []
        do {
            for _ in 0..<min(4, max(2, System.processorCount)) { threads.append(try Thread { self.work() }) }
            threads.append(try Thread { self.keepTime() })
            return threads
        } catch {
            finish()
            for thread in threads { thread.join() }
            throw error
        }
    }

    private func finish() {
        over.store(true, ordering: .releasing)
        poller.wakeAll()
        wakeup.call()
    }

    private func work() {
        let scratch = MailScratch()
        while !isOver {
            switch poller.wait(seconds: 3600) {
            case .woken: return
            case .timedOut: continue
            case .ready(let tag, _):
                // Tags of acceptors are small numbers, those of places are addresses.
                if tag < UInt(acceptors.count) {
                    accept(at: acceptors[Int(tag)], tag: tag, scratch)
                } else if let place = MailPlace.named(tag), place.serve(scratch) {
                    giveBack(place)
                }
            }
        }
    }

    private func keepTime() {
        let scratch = MailScratch()
        while !isOver {
            let isQuiet = places.withLock { $0.taken == 0 } && paused.withLock(\.isEmpty)
            wakeup.wait(seconds: isQuiet ? 3600 : Self.tick)
            for place in places.withLock(\.all) where place.check(scratch, { $0.checkTime(System.uptime) }) {
                giveBack(place)
            }
            resumeAccepting()
        }
    }

    // MARK: Arrivals

    private func accept(at acceptor: Acceptor, tag: UInt, _ scratch: MailScratch) {
        if acceptSome(at: acceptor, tag: tag, scratch) { acceptor.watchAgain(by: poller, tag: tag) }
    }

    /// - Returns: whether more may be waiting. If not, somebody looks again when there is reason to.
    private func acceptSome(at acceptor: Acceptor, tag: UInt, _ scratch: MailScratch) -> Bool {
        for _ in 0..<Self.mostAccepted {
            switch acceptor.accept() {
            case .connection(let socket, let address, _): admit(socket, MailClient(address: address), scratch)
            case .mustWait:
                acceptor.watchAgain(by: poller, tag: tag)
                return false
            case .exhausted:
                _ = paused.withLock { $0.insert(tag) }
                wakeup.call()
                return false
            case .failed, nil: return false
            }
        }
        return true
    }

    private func admit(_ socket: Socket, _ client: MailClient, _ scratch: MailScratch) {
        let most = context.limits.connections
        let taken = places.withLock { places -> (place: MailPlace, count: Int)? in
            guard places.taken < most + Self.mostTurnedAway else { return nil }
            if let free = places.free.popLast() { return (free, places.taken) }
            places.all.append(MailPlace(poller, receiver))
            return places.all.last.map { ($0, places.taken) }
        }
        var session = MailSession(context, socket, client)
        let isSurplus = (taken?.count ?? .max) > most
        if isSurplus {
            let fault = MailFault.tooManyConnections(most)
            receiver.note(fault, session.envelope, from: client)
            session.turnAway(fault)
        }
        guard let place = taken?.place else { return socket.close() }
        do {
            try place.begin(session)
            // The greeting goes out without waiting for the client.
            if place.serve(scratch) { giveBack(place) }
        } catch {
            socket.close()
            giveBack(place)
        }
        if taken?.count == 1 { wakeup.call() }
    }

    private func giveBack(_ place: MailPlace) { places.withLock { $0.free.append(place) } }

    private func resumeAccepting() {
        let tags = paused.withLock { tags in
            defer { tags = [] }
            return tags
        }
        for tag in tags { acceptors[Int(tag)].watchAgain(by: poller, tag: tag) }
    }

    // MARK: The end

    func stop(by deadline: Double) {
        let scratch = MailScratch()
        context.beginStopping()
        for acceptor in acceptors { acceptor.refuseNew() }
        for (index, acceptor) in acceptors.enumerated() {
            while acceptSome(at: acceptor, tag: UInt(index), scratch) {}
            acceptor.close()
        }
        let pause = Wakeup()
        while places.withLock({ $0.taken > 0 }), System.uptime < deadline {
            for place in places.withLock(\.all) where place.check(scratch, { $0.checkStop(System.uptime) }) {
                giveBack(place)
            }
            pause.wait(seconds: 0.02)
        }
        finish()
    }

    /// Closes what is left, when no thread is at work any more.
    func empty() {
        let scratch = MailScratch()
        for place in places.withLock(\.all) { _ = place.check(scratch) { _ in .closed } }
        places.withLock { $0 = Places() }
    }
}
