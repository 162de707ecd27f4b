package import Sockets
import Synchronization

/// A place to listen at whose requests are told apart by ``HTTP/Request/Peer/door``.
package struct Door: Sendable, Equatable {
    package let name: String
    package let address: ListenAddress

    package init(_ name: String, at address: ListenAddress) { (self.name, self.address) = (name, address) }
}

/// A listener that is closed while threads may be about to accept from it.
final class Entrance: Sendable {
    private let listener: Mutex<Listener?>
    /// Nil for the main one.
    let door: String?

    init(_ listener: Listener, door: String? = nil) {
        self.listener = Mutex(listener)
        self.door = door
    }

    /// `nil` when closed.
    func accept() -> Listener.Accepted? { listener.withLock { $0?.accept() } }

    func watch(by poller: Poller, tag: UInt) throws {
        try listener.withLock { if let open = $0 { try poller.watch(open, tag: tag) } }
    }

    func watchAgain(by poller: Poller, tag: UInt) {
        // It can fail only for a listener that is not watched.
        listener.withLock { if let open = $0 { try? poller.watchAgain(open, tag: tag) } }
    }

    /// Who is not connected yet will not be.
    func refuseNew() { listener.withLock { $0?.refuseNew() } }

    func close() {
        listener.withLock {
            $0?.close()
            $0 = nil
        }
    }
}
