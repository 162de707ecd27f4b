package import HTTP
package import Sockets
import Synchronization

/// An HTTP/1.1 server.
///
/// Its threads share one poller; the thread that takes an event reads, parses, runs the handler and writes, and no
/// request changes threads. An answer that is not there yet costs no thread: the handler returns a ``Wait``, and the server asks
/// again when it is rung for. A handler that calls another server may hold its thread: there are always threads beyond those that
/// wait so, up to ``Limits/handlerThreads``. A quiet connection, a parked request, an open stream or an open web socket costs no
/// thread and no buffer.
///
/// Not here: what answers mean. `Date`, `Content-Length` and the connection's own fields are all that is added.
package final class HTTPServer: Sendable {
    private let context: ServerContext
    private let running = Mutex<Running?>(nil)

    private struct Running: Sendable {
        let engine: Engine
        let housekeeper: Thread
    }

    /// - Parameters:
    ///   - memory: shared with others who serve clients; nil for one of its own, of ``Limits/bodyMemory``.
    ///   - tls: a context with a certificate, to speak HTTPS as well: the first byte that a client sends tells what it speaks.
    ///   - takesTLSOnly: turns away who speaks HTTP then.
    ///   - waits: where handlers that wait are told.
    package init(
        limits: Limits, memory: MemoryBudget? = nil, tls: TLSContext? = nil, takesTLSOnly: Bool = false,
        responder: any Responder, waits: HandlerWaits = HandlerWaits()
    ) {
        context = ServerContext(limits, memory, tls, takesTLSOnly: takesTLSOnly, responder, waits)
    }

    deinit { stop(grace: 0) }

    /// Listens on all of `addresses` and answers. A server is started once.
    ///
    /// - Parameters:
    ///   - doors: more places to listen at.
    ///   - isOpen: is told where the doors are, before the first request is answered.
    /// - Returns: where it listens, `localhost` being two addresses where the machine has IPv6; without the doors.
    /// - Throws: ``SocketError``, with the reason `.addressInUse` and a message that names the address when somebody
    ///   listens there. Nothing stays open then.
    package func start(
        on addresses: [ListenAddress], doors: [Door] = [],
        isOpen: ([BoundAddress], [String: BoundAddress]) -> Void = { _, _ in }
    ) throws -> [BoundAddress] {
        System.ignoreBrokenPipes()
        System.raiseDescriptorLimit()
        System.shareMemoryPools()
        var listeners = try Self.open(addresses)
        let main = listeners
        do {
            var acceptors = listeners.map { Acceptor($0) }
            var bound: [String: BoundAddress] = [:]
            for door in doors {
                let opened = try Self.open([door.address])
                listeners += opened
                acceptors += opened.map { Acceptor($0, door: door.name) }
                bound[door.name] = opened.first?.bound
            }
            isOpen(main.map(\.bound), bound)
            try run(acceptors)
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        return main.map(\.bound)
    }

    /// Lets nobody connect any more, takes those who are connected already, stops listening; asks for the last answers of requests
    /// that wait, ends open streams, closes web sockets with 1001 and idle connections when nothing more has come from them for a
    /// quarter of a second; lets requests that have begun be answered for at most `seconds`, closes what is left, and joins the
    /// threads. A handler that returns even later keeps its thread until then, for nothing. Further calls do nothing.
    package func stop(grace seconds: Double) {
        guard
            let running = running.withLock({ running -> Running? in
                defer { running = nil }
                return running
            })
        else { return }
        let deadline = System.uptime + seconds
        context.waits.onBegin(nil)
        running.engine.stop(by: deadline)
        running.engine.finish()
        running.housekeeper.join()
        running.engine.workers.dismiss(until: max(deadline, System.uptime + 0.2))
        running.engine.table.empty()
    }

    package var figures: ServerFigures {
        running.withLock { running in
            guard let engine = running?.engine else { return ServerFigures() }
            return ServerFigures(
                connections: engine.table.count, threads: engine.workers.count,
                idleThreads: engine.workers.idle,
                waiting: context.alarms.count, answered: context.answered.load(ordering: .relaxed),
                heldBytes: context.memory.bytes)
        }
    }

    private static func open(_ addresses: [ListenAddress]) throws -> [Listener] {
        var listeners: [Listener] = []
        do {
            for address in addresses { listeners += try Listener.open(address) }
            return listeners
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
    }

    private func run(_ acceptors: [Acceptor]) throws {
        let engine = try Engine(context, acceptors)
        do {
            try engine.hire(engine.workers.fewest)
            context.waits.onBegin { engine.replaceWaiting() }
            let housekeeper = try Thread {
                var housekeeper = Housekeeper(engine)
                housekeeper.work()
            }
            running.withLock { $0 = Running(engine: engine, housekeeper: housekeeper) }
            try engine.openAcceptors()
        } catch {
            engine.finish()
            engine.workers.dismiss(until: System.uptime + 1)
            throw error
        }
    }
}

/// A place to listen at whose requests are told apart by ``HTTP/Request/Peer/door``.
package struct Door: Sendable, Equatable {
    package let name: String
    package let address: ListenAddress

    package init(_ name: String, at address: ListenAddress) { (self.name, self.address) = (name, address) }
}

/// How a server is doing at this moment.
package struct ServerFigures: Sendable, Equatable {
    /// Open connections, those that are being closed included.
    package var connections = 0
    /// Threads that run handlers, and how many of them wait for work.
    package var threads = 0
    package var idleThreads = 0
    /// Requests whose answers are waited for without a thread.
    package var waiting = 0
    /// Requests that a handler has answered since the start.
    package var answered = 0
    /// Bytes that are booked for bodies and answers; see ``Limits/bodyMemory``.
    package var heldBytes = 0
}
