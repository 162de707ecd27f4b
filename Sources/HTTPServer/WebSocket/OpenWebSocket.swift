import HTTP
import Sockets
import Synchronization

/// One web socket while it is open.
///
/// Unchecked: what can change is touched only with the connection's lock held. A class, so that a connection that is none pays
/// for a pointer alone.
final class OpenWebSocket: @unchecked Sendable {
    /// What a callback is told.
    enum Event: Sendable {
        case opened
        case message(WebSocketMessage)
    }

    let id: StreamID
    private let upgrade: WebSocketUpgrade
    private let sender: WebSocketSender

    var reader: WebSocketReader
    /// When the client was heard last, in ``System/uptime``.
    var heardAt = System.uptime
    /// When it was asked whether it is there; nil when it has been heard since.
    var pingedAt: Double?
    /// Pings and pongs of the client since ``controlsSince``, in ``System/uptime``.
    private var controls = 0
    private var controlsSince = System.uptime
    /// How it ends, once that is known: the first Close frame of either side, or what stands for one.
    private(set) var close: WebSocketClose?
    /// When our Close frame was made.
    var closeSentAt: Double?
    /// Nothing more is to be heard; what is left to send ends it.
    var isOver = false
    /// A callback runs, or is about to.
    var isInCallback = false
    /// The connection was closed under a callback, which `closed` must follow.
    private let cutOff = Atomic<Bool>(false)

    init(_ id: StreamID, _ upgrade: WebSocketUpgrade, _ sender: WebSocketSender) {
        self.id = id
        self.upgrade = upgrade
        self.sender = sender
        reader = WebSocketReader(from: .client, messageBytes: upgrade.messageBytes, kinds: upgrade.kinds)
    }

    var isCutOff: Bool { cutOff.load(ordering: .acquiring) }

    func cutOffFromCallback() { cutOff.store(true, ordering: .releasing) }

    /// The first to say how it ends is right.
    func end(_ close: WebSocketClose) {
        if self.close == nil { self.close = close }
    }

    func hear(_ bytes: UnsafeRawBufferPointer) {
        heardAt = System.uptime
        pingedAt = nil
        reader.append(bytes)
    }

    /// Counts a ping or a pong.
    ///
    /// - Returns: whether there are more than `most` within a second.
    func isFlooded(most: Int) -> Bool {
        if heardAt - controlsSince >= 1 { (controls, controlsSince) = (0, heardAt) }
        controls += 1
        return controls > most
    }

    // MARK: Outside the lock

    /// - Returns: whether the callback was content.
    func tell(_ event: Event) -> Bool {
        do {
            switch event {
            case .opened: try upgrade.opened(sender)
            case .message(let message): try upgrade.received(message, sender)
            }
            return true
        } catch {
            // Whoever made the callback has told of it; the client hears 1011.
            return false
        }
    }

    /// Once, after the connection's end: nothing changes any more.
    func tellClosed() { upgrade.closed(close ?? WebSocketClose(.abnormal), sender) }
}
