import HTTP
import Sockets
import Synchronization

/// What all connections of one server share.
final class ServerContext: Sendable {
    let limits: Limits
    let tls: TLSContext?
    /// Whether those who speak HTTP without TLS are turned away where TLS is spoken.
    let takesTLSOnly: Bool
    let responder: any Responder
    let waits: HandlerWaits
    /// Asks the responder; made once, for every parser.
    let bodyLimit: @Sendable (Request.Method, String) -> Int?
    let answered = Atomic<Int>(0)
    let memory: MemoryBudget
    /// Calls the housekeeper.
    let wakeup: Wakeup
    let alarms: Alarms
    /// When the server began to stop, in ``System/uptime``, as the bits of a `Double`; 0 before that.
    private let stopping = Atomic<UInt64>(0)
    private let streams = Atomic<Int>(0)

    init(
        _ limits: Limits, _ memory: MemoryBudget?, _ tls: TLSContext?, takesTLSOnly: Bool,
        _ responder: any Responder, _ waits: HandlerWaits
    ) {
        self.limits = limits
        self.tls = tls
        self.takesTLSOnly = takesTLSOnly
        self.responder = responder
        self.waits = waits
        self.memory = memory ?? MemoryBudget(most: limits.bodyMemory)
        wakeup = Wakeup()
        alarms = Alarms(housekeeper: wakeup)
        bodyLimit = { responder.bodyLimit($0, $1) }
    }

    func respond(to request: Request) -> Response {
        request.fault.map { responder.refuse(request, because: $0) } ?? responder.respond(to: request)
    }

    /// No answer keeps its connection any more, unless the client has asked for another one already.
    var isStopping: Bool { stopping.load(ordering: .acquiring) != 0 }

    var stoppedAt: Double { Double(bitPattern: stopping.load(ordering: .acquiring)) }

    func beginStopping() { stopping.store(System.uptime.bitPattern, ordering: .releasing) }

    func nextStream() -> StreamID { streams.add(1, ordering: .relaxed).newValue }
}

/// Tells a stream or a web socket from every other of the server.
typealias StreamID = Int
