import Essentials
import HTTP
import PlatformKit
import SQLite
import Synchronization

/// A WebSocket on which a device hears its events, in their order and each once.
final class EventFeed: Sendable {
    private let platform: NextAuth
    private let instance: String
    /// The last number that was sent. Held while sending, so that two threads do not send the same.
    private let cursor: Mutex<Int>
    private let listening = Mutex<Listening?>(nil)

    init(_ platform: NextAuth, instance: String, since number: Int) {
        (self.platform, self.instance) = (platform, instance)
        cursor = Mutex(number)
    }

    /// Sends what is there, and from now on what comes.
    func open(_ sender: WebSocketSender) throws {
        try platform.askForPings(of: instance)
        try send(to: sender, evenNothing: true)
        let stopListening = platform.services.changes.listen(ticking: { [self] in
            attempt(sender) {
                try platform.askForPings(of: instance)
                try send(to: sender)
            }
        }) { [self] in
            attempt(sender) { try send(to: sender) }
        }
        listening.withLock { $0 = Listening(end: stopListening) }
    }

    func close() { listening.withLock { $0.take() }?.end() }

    /// Inside of the lock nothing may ring: the listener is this.
    private func send(to sender: WebSocketSender, evenNothing: Bool = false) throws {
        try cursor.withLock { cursor in
            let (found, last) = try platform.database.read { db -> ([DeviceEvent], Int?) in
                let found = try DeviceEvent.all(of: instance, after: cursor, in: db)
                guard try db.exists(Instance.self, where: "id = \(instance)") else { return ([], nil) }
                return (found, try DeviceEvent.last(of: instance, in: db))
            }
            guard let last else { return sender.close(.policyViolation, "the device token is unknown") }
            // A restored world counts from its own last number.
            cursor = min(found.last?.number ?? cursor, last)
            guard evenNothing || !found.isEmpty else { return }
            let told: JSONValue = ["events": .array(found.map(\.json)), "last": .integer(last)]
            sender.send(told.text)
        }
    }

    private func attempt(_ sender: WebSocketSender, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            platform.services.journal.event(
                "event feed failed", about: instance, "The events of a device could not be read: \(error).")
            sender.close(.internalError, "the events could not be read")
        }
    }
}
