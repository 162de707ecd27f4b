import HTTP
import Sockets

/// One client's side of things while its connection is open: what it has sent, what it is still to get, and what it may
/// take its time for. ``Connection`` holds it behind a lock; nothing here waits.
struct Conversation {
    enum Stage {
        /// Where TLS is spoken, before the first byte has told what this client speaks.
        case greeting
        case handshaking, open
        /// A stream is open; requests behind it wait in the socket.
        case streaming(OpenStream)
        /// An answer is waited for; requests behind it wait in the socket.
        case waiting(OpenWait)
        /// Frames instead of requests.
        case webSocket(OpenWebSocket)
        /// All is said. What still comes is thrown away for a moment, so that the last answer is not lost to a reset
        /// (RFC 9112 §9.6); so many bytes were.
        case lingering(bytes: Int)
    }

    /// What the client is waited for, which says how long.
    enum Wait { case handshake, nextRequest, head, body, reading, goodbye, frames, nothing }

    /// What is to be done outside the lock.
    enum Step: Sendable {
        case respond(RequestParser.Parsed)
        case start(BodyStream, StreamID)
        /// The client has taken what there is of a long answer.
        case make(BodyPieces, StreamID)
        /// The handler has no answer yet.
        case wait(HTTP.Wait, RequestParser.Parsed)
        /// The question of a waiting request is due.
        case ask(OpenWait, isLast: Bool)
        /// The responder is to hear of it; then the conversation goes on.
        case note(Incident)
        /// The stream is over and the conversation goes on.
        case streamEnded(End?)
        /// A web socket begins.
        case upgrade(WebSocketUpgrade, StreamID)
        case deliver(OpenWebSocket.Event, OpenWebSocket)
        /// The client's turn; a thread is needed no longer.
        case rest
        /// The connection is closed and can serve another client.
        case closed(End?)
    }

    typealias End = @Sendable () -> Void

    /// Answers that wait for each other's company in one write.
    static let mostBatchedBytes = 64 * 1024
    /// Requests that one client gets answered before others have their turn.
    static let mostRequestsInTurn = 64
    static let lingerSeconds = 2.0
    static let mostLingeringBytes = 16 * 1024 * 1024

    let context: ServerContext
    private(set) var peer: Request.Peer
    private(set) var channel: Channel

    var stage: Stage
    var turn = Turn.client
    var wait = Wait.nextRequest
    /// Since when `wait` is what it is, in ``System/uptime``.
    var since: Double
    var incoming = Incoming()
    var output = Output()
    var polling = Polling()
    var booking = Booking()
    /// Absent while nothing is half read and the client is quiet.
    var parser: RequestParser?
    var requestsInTurn = 0
    /// The client cannot be reached any more.
    var isBroken = false
    /// One connection too many: to be told so.
    let isSurplus: Bool

    init(
        _ context: ServerContext, _ channel: Channel, peer: Request.Peer, isSurplus: Bool
    ) {
        self.context = context
        self.channel = channel
        self.peer = peer
        self.isSurplus = isSurplus
        stage = context.tls == nil ? .open : .greeting
        wait = context.tls == nil ? .nextRequest : .handshake
        since = System.uptime
    }

    /// What the client is in the middle of saying.
    var phase: RequestParser.Phase { mutating get { parser?.phase ?? .idle } }

    var unsentBytes: Int { output.unsent }

    /// A thread is at work for this client, maybe in a handler.
    var isBusy: Bool { turn != .client }

    /// Asks to hear when the socket can be written. Once is enough: asking again would report again at once what else it
    /// is ready for, and so turn in circles while a client sends but does not read.
    mutating func watchWriting() {
        if !polling.watchesWriting { polling.isWanted = true }
    }

    var limits: Limits { context.limits }

    /// Goes on with TLS, with a client that speaks it.
    mutating func beginTLS(_ tls: TLSContext) throws {
        channel = Channel(socket: channel.socket, tls: try TLSSession(tls, over: channel.socket))
        peer.isSecure = true
        stage = .handshaking
    }
}

extension Conversation {
    /// The stream that is open.
    var stream: OpenStream? {
        if case .streaming(let stream) = stage { stream } else { nil }
    }

    /// What is waited for.
    var waiting: OpenWait? {
        if case .waiting(let wait) = stage { wait } else { nil }
    }

    /// The web socket that is open.
    var webSocket: OpenWebSocket? {
        if case .webSocket(let socket) = stage { socket } else { nil }
    }
}
