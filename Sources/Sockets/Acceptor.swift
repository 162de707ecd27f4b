import Synchronization

/// A listener that is closed while threads may be about to accept from it.
package final class Acceptor: Sendable {
    private let listener: Mutex<Listener?>
    /// Nil for the main one.
    package let door: String?

    package init(_ listener: Listener, door: String? = nil) {
        self.listener = Mutex(listener)
        self.door = door
    }

    /// `nil` when closed.
    package func accept() -> Listener.Accepted? { listener.withLock { $0?.accept() } }

    package func watch(by poller: Poller, tag: UInt) throws {
        try listener.withLock { if let open = $0 { try poller.watch(open, tag: tag) } }
    }

    package func watchAgain(by poller: Poller, tag: UInt) {
        // It can fail only for a listener that is not watched.
        listener.withLock { if let open = $0 { try? poller.watchAgain(open, tag: tag) } }
    }

    /// Who is not connected yet will not be.
    package func refuseNew() { listener.withLock { $0?.refuseNew() } }

    package func close() {
        listener.withLock {
            $0?.close()
            $0 = nil
        }
    }
}
