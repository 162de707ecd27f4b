import HTTP
import Sockets
import Synchronization

/// What the threads of a server work on together.
final class Engine: Sendable {
    /// Clients beyond the limit that are told so; who comes beyond these is cut off.
    private static let mostTurnedAway = 64
    /// Connections that one thread accepts in a row.
    private static let mostAccepted = 64

    let context: ServerContext
    let poller: Poller
    let table = ConnectionTable()
    /// Called for each connection that ends while the server stops.
    let emptied = Wakeup()
    let workers: WorkerPool
    private let acceptors: [Acceptor]
    /// Acceptors that wait for descriptors to become free, by their tags.
    private let paused = Mutex<[UInt]>([])
    /// Connections whose finished answers wait for a handler.
    private let deferred = Mutex<[Connection]>([])
    private let over = Atomic<Bool>(false)

    init(_ context: ServerContext, _ acceptors: [Acceptor]) throws {
        self.context = context
        poller = try Poller()
        workers = WorkerPool(
            most: context.limits.handlerThreads, mostBusy: context.limits.busyThreads, waits: context.waits,
            housekeeper: context.wakeup)
        self.acceptors = acceptors
    }

    var wakeup: Wakeup { context.wakeup }
    var isOver: Bool { over.load(ordering: .acquiring) }

    /// No clock runs: until somebody connects, nothing needs looking at.
    var isQuiet: Bool {
        table.count == 0 && workers.count <= workers.fewest && paused.withLock(\.isEmpty)
    }

    func openAcceptors() throws {
        for (index, acceptor) in acceptors.enumerated() {
            try acceptor.watch(by: poller, tag: UInt(index))
        }
    }

    /// Stops listening, without a reset for those who are connected already.
    func closeAcceptors(_ scratch: Scratch) {
        for acceptor in acceptors { acceptor.refuseNew() }
        for (index, acceptor) in acceptors.enumerated() {
            while acceptSome(at: acceptor, tag: UInt(index), scratch) {}
            acceptor.close()
        }
    }

    /// Ends the work of all threads, once each is out of its handler.
    func finish() {
        over.store(true, ordering: .releasing)
        poller.wakeAll()
        wakeup.call()
    }

    func hire(_ count: Int) throws {
        try workers.hire(count) { self.work() }
    }

    /// A handler waits and holds its thread: another one takes its place, unless one is free.
    func replaceWaiting() {
        guard workers.isShort else { return }
        // Without more threads the clients wait; the housekeeper tries again.
        try? hire(1)
    }

    // MARK: A thread's life

    private func work() {
        let scratch = Scratch()
        while !isOver {
            let event = poller.wait(seconds: WorkerPool.idleSeconds)
            workers.endWaiting()
            switch event {
            case .woken: return
            case .timedOut: if workers.canSpare() { return }
            case .ready(let tag, let readiness):
                // Tags of acceptors are small numbers, those of connections are addresses.
                if tag < UInt(acceptors.count) {
                    accept(at: acceptors[Int(tag)], tag: tag, scratch)
                } else if let connection = Connection.named(tag) {
                    serve(connection, connection.hear(readiness, of: tag, scratch), scratch)
                }
            }
            if workers.isCrowded, workers.canSpare() { return }
            workers.beginWaiting()
        }
    }

    /// Takes the steps that are taken outside the conversation's lock.
    func serve(_ connection: Connection, _ first: Conversation.Step, _ scratch: Scratch) {
        var step = first
        while true {
            switch step {
            case .rest: return
            case .closed(let end):
                giveBack(connection)
                end?()
                return
            case .respond(let parsed):
                deferOutput(of: connection)
                let response = context.respond(to: parsed.request)
                if !response.isWaiting { context.answered.add(1, ordering: .relaxed) }
                step = connection.step(scratch) { $0.answer(parsed, response, scratch) }
            case .start(let body, let id):
                let end = body.start(writer(on: connection, id))
                step = connection.step(scratch) { $0.started(id, end: end, scratch) }
            case .make(let pieces, let id):
                let piece = Result { try pieces.next() }
                step = connection.step(scratch) { $0.took(piece, of: id, scratch) }
            case .wait(let wait, let parsed):
                step = park(waiting(parsed, wait, on: connection), on: connection, scratch)
            case .ask(let open, let isLast): step = ask(open, isLast: isLast, on: connection, scratch)
            case .note(let incident):
                context.responder.note(incident)
                step = connection.step(scratch) { $0.goOn(scratch) }
            case .streamEnded(let end):
                end?()
                step = connection.step(scratch) { $0.goOn(scratch) }
            case .upgrade(let upgrade, let id):
                let socket = OpenWebSocket(id, upgrade, sender(on: connection, id, upgrade.subprotocol))
                step = connection.step(scratch) { $0.begin(socket) }
            case .deliver(let event, let socket):
                let isContent = socket.tell(event)
                step = connection.step(scratch) { $0.delivered(isContent, scratch) }
                if socket.isCutOff { socket.tellClosed() }
            }
        }
    }

    func giveBack(_ connection: Connection) {
        table.giveBack(connection)
        if context.isStopping { emptied.call() }
    }

    private func writer(on connection: Connection, _ id: StreamID) -> BodyStream.Writer {
        BodyStream.Writer(
            write: { piece in connection.peek { $0.write(piece, to: id) } ?? false },
            close: { _ = connection.peek { $0.close(id) } })
    }

    private func sender(on connection: Connection, _ id: StreamID, _ subprotocol: String?)
        -> WebSocketSender
    {
        WebSocketSender(
            id: id, subprotocol: subprotocol,
            send: { message in connection.peek { $0.send(message, to: id) } ?? false },
            close: { close in _ = connection.peek { $0.close(close, id) } },
            isOpen: { connection.peek { $0.isOpen(id) } ?? false })
    }

    // MARK: Arrivals

    private func accept(at acceptor: Acceptor, tag: UInt, _ scratch: Scratch) {
        if acceptSome(at: acceptor, tag: tag, scratch) { acceptor.watchAgain(by: poller, tag: tag) }
    }

    /// - Returns: whether more may be waiting. If not, somebody looks again when there is reason to.
    private func acceptSome(at acceptor: Acceptor, tag: UInt, _ scratch: Scratch) -> Bool {
        for _ in 0..<Self.mostAccepted {
            switch acceptor.accept() {
            case .connection(let socket, let address, let isLoopback):
                let peer = Request.Peer(
                    address: address, isLoopback: isLoopback, isSecure: false,
                    localAuthority: socket.localAuthority, door: acceptor.door)
                admit(socket, peer, scratch)
            case .mustWait:
                acceptor.watchAgain(by: poller, tag: tag)
                return false
            case .exhausted:
                paused.withLock { $0.append(tag) }
                wakeup.call()
                return false
            case .failed, nil: return false
            }
        }
        return true
    }

    private func admit(_ socket: Socket, _ peer: Request.Peer, _ scratch: Scratch) {
        let most = context.limits.connections
        let taken = table.take(most: most + Self.mostTurnedAway) { Connection(poller) }
        guard let (place, count) = taken else {
            socket.close()
            return context.responder.note(.connectionsFull(peer, most: most))
        }
        do {
            let channel = Channel(socket: socket)
            try place.begin(Conversation(context, channel, peer: peer, isSurplus: count > most))
        } catch {
            socket.close()
            table.giveBack(place)
        }
        if count == 1 { wakeup.call() }
    }

    /// Gives acceptors that found no descriptor another chance.
    func resumeAccepting() {
        let tags = paused.withLock { tags in
            defer { tags = [] }
            return tags
        }
        for tag in tags {
            acceptors[Int(tag)].watchAgain(by: poller, tag: tag)
        }
    }

    // MARK: Answers that wait

    /// Pipelined answers leave together, but not later because the next handler waits.
    private func deferOutput(of connection: Connection) {
        let isNew = connection.peek { conversation in
            guard conversation.unsentBytes > 0, !conversation.output.isDeferred else { return false }
            conversation.output.isDeferred = true
            return true
        }
        guard isNew == true else { return }
        deferred.withLock { $0.append(connection) }
        workers.watch()
    }

    func sendDeferred() -> Bool {
        let connections = deferred.withLock { connections in
            defer { connections = [] }
            return connections
        }
        for connection in connections {
            _ = connection.peek { conversation in
                conversation.output.isDeferred = false
                // If this fails, the thread that is busy with it finds out.
                _ = conversation.flush()
            }
        }
        return !connections.isEmpty
    }
}
