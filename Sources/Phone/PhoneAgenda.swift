import Essentials
import PlatformKit
import SQLite
import Synchronization

/// What phones have before them stands in rows: answers that were planned (``PhonePlan``), and what an app does by itself, such as a ping
/// (``InstalledApp/dueAt``). Here is only when these are looked at, by the clocks of their worlds.
final class PhoneAgenda: Sendable {
    /// For when a look is ordered, by the clock of the world as it was set then.
    private struct Order: Sendable {
        let due: Date
        let clock: WorldClock.Setting
    }

    private struct State: Sendable {
        /// By the name of the world.
        var orders: [String: Order] = [:]
        /// Phones whose apps somebody else has in hand, who moves the clock of their world.
        var walkers: [String: Set<String>] = [:]
    }

    private let state = Mutex(State())

    /// Whether no look is ordered for then or before, which there is now.
    func order(_ due: Date, _ clock: WorldClock.Setting, in world: String) -> Bool {
        state.withLock { state in
            if let before = state.orders[world], before.due <= due, before.clock == clock { return false }
            state.orders[world] = Order(due: due, clock: clock)
            return true
        }
    }

    /// The look that was ordered for then is under way.
    func take(_ due: Date, in world: String) {
        state.withLock { if $0.orders[world]?.due == due { $0.orders[world] = nil } }
    }

    func walkers(in world: String) -> Set<String> { state.withLock { $0.walkers[world] ?? [] } }

    func setWalkers(_ phones: Set<String>?, in world: String) {
        state.withLock { $0.walkers[world] = phones }
    }
}
