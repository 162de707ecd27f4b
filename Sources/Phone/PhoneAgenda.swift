import Essentials
package import PlatformKit
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

extension PhoneCenter {
    /// What phones have before them, for those who open worlds and move their clocks.
    package var duties: WorldDuties {
        WorldDuties(
            areThere: { try Phones.nextDue(in: $0) != nil },
            attend: { [weak self] name in self?.attend(name) })
    }

    /// The same as ``attend(_:)``, a moment later.
    func attend(_ name: String) {
        later(0) { [self] in if let world = world(name) { attend(world) } }
    }

    /// Seconds of real time.
    private static let longestWait = 600.0

    /// Has done what is due in a world, and looks again when the next is.
    func attend(_ world: World) {
        do {
            guard let base = base(of: world) else { return }
            let (due, next) = try Phones(world).takeDue(except: agenda.walkers(in: world.name))
            for plan in due.plans { follow(plan.phone, in: world, base) { try $0.keep(plan) } }
            for phone in due.phones {
                follow(phone, in: world, base) { session in
                    session.isRinging = true
                    try session.keepUp()
                }
            }
            guard let next else { return }
            let clock = world.clock.current
            // A clock that stands still is heard of when it is moved.
            guard clock.frozenAt == nil, agenda.order(next, clock, in: world.name) else { return }
            let seconds = max(next.timeIntervalSince(world.clock.now), 0) + 0.001
            // Looked at now and then until it is due, a world in memory is kept.
            later(min(seconds, Self.longestWait)) { [self, name = world.name] in
                agenda.take(next, in: name)
                attend(name)
            }
        } catch {
            world.services.journal.event(
                "phone failed", "What phones have before them cannot be read: \(error).")
        }
    }
}

extension Phones {
    /// What is to be done now.
    struct Due {
        var plans: [PhonePlan] = []
        /// Phones with an app that has something to do by itself.
        var phones: [String] = []
    }

    /// Apps that do what is due at a time: of a phone that has a network, and that somebody used not too long ago.
    private static func ringing(_ condition: SQL) -> SQL {
        """
        due_at \(fragment: condition) AND rings < \(InstalledApp.ringLimit) \
        AND phone IN (SELECT name FROM phones_phone WHERE network <> \(Phone.Network.offline.rawValue))
        """
    }

    /// When the first is due, by the clock of the world.
    static func nextDue(in db: Connection, except phones: Set<String> = []) throws -> Date? {
        let plan = try db.first(PhonePlan.self, where: "1", order: "due_at")?.dueAt
        let apps =
            phones.isEmpty
            ? try db.all(InstalledApp.self, where: ringing("IS NOT NULL"), order: "due_at", limit: 1)
            : try db.all(InstalledApp.self, where: ringing("IS NOT NULL"), order: "due_at")
        let app = apps.first { !phones.contains($0.phone) }?.dueAt
        return [plan, app].compactMap(\.self).min()
    }

    /// Takes what is due: plans are gone then, and of an app the next is due soon, in case that this one comes to nothing.
    ///
    /// - Parameter phones: whose apps are left alone.
    /// - Returns: it, and when the next is due.
    func takeDue(except phones: Set<String>) throws -> (due: Due, next: Date?) {
        // Most worlds have nothing due: a look does not keep others from writing. Times are compared as they are kept, to the millisecond.
        let first = try world.database.read { try Self.nextDue(in: $0, except: phones) }
        guard let first, first <= world.clock.now.asStored else { return (Due(), first) }
        return try world.change { turn in
            var due = Due()
            due.plans = try turn.all(PhonePlan.self, where: "due_at <= \(turn.now)")
            try turn.db.delete(PhonePlan.self, where: "due_at <= \(turn.now)")
            for var app in try turn.all(InstalledApp.self, where: Self.ringing("<= \(turn.now)"))
            where !phones.contains(app.phone) {
                if !due.phones.contains(app.phone) { due.phones.append(app.phone) }
                app.dueAt = turn.now.addingTimeInterval(InstalledApp.pause)
                app.rings.increment()
                try turn.update(app, .dueAt, .rings)
            }
            return (due, try Self.nextDue(in: turn.db, except: phones))
        }
    }
}
