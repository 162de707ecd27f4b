import Crypto
import PlatformKit
import Synchronization

/// What takes long.
extension PhoneCenter {
    static func lane(_ name: String, _ world: World) -> String { world.name + "/" + name }

    /// Why somebody has waited long enough for what a phone was told to do.
    func busy(_ name: String, in world: World) -> PhoneRefusal {
        switch tasks.withLock({ $0[Self.lane(name, world)] }) {
        case .key(let title)?:
            .busy(
                "waits for a new RSA key for its app of \(title); \(RSAKeys.shared.waiting) are to be made, each of which takes up to a second"
            )
        case .errand?: .busy("is still busy with this order or the previous one")
        case nil:
            .busy("has not begun with this order: \(OutgoingQueue.workerLimit) others are at work")
        }
    }

    /// A new key for an app of the phone. While it is made, other phones do their errands.
    ///
    /// - Throws: ``PhoneRefusal`` when too many wait for keys.
    func newRSAKey(for name: String, in world: World, title: String) throws -> PrivateKey {
        if let key = RSAKeys.shared.ready() { return key }
        let lane = Self.lane(name, world)
        tasks.withLock { $0[lane] = .key(title) }
        defer { tasks.withLock { $0[lane] = .errand } }
        do {
            return try queue.pausing { try RSAKeys.shared.next() }
        } catch let error as RSAKeys.TooMany {
            throw PhoneRefusal.keysWanted(title, waiting: error.waiting)
        }
    }
}
