import Essentials
import PlatformKit
import Synchronization

/// When the plans of phones are looked at, by the clocks of their worlds.
final class PhoneAgenda: Sendable {
    private struct Watch: Sendable {
        /// Ends the listening to the clock of the world.
        let end: @Sendable () -> Void
        /// For when a look is ordered, by the clock of the world as it was set then.
        var due: Date?
        var clock = WorldClock.Setting()
    }

    /// By the name of the world.
    private let watches = Mutex<[String: Watch]>([:])

    /// From now on `look` is called when the clock of the world was moved.
    func watch(_ world: World, _ look: @escaping @Sendable () -> Void) {
        guard watches.withLock({ $0[world.name] == nil }) else { return }
        // What rings about everything: a moved clock, a restored snapshot.
        let end = world.services.changes.listen(about: "phones.plans", look)
        let isFirst = watches.withLock { watches in
            guard watches[world.name] == nil else { return false }
            watches[world.name] = Watch(end: end)
            return true
        }
        if !isFirst { end() }
    }

    /// Whether no look is ordered for then or before, which there is now.
    func order(_ due: Date, _ clock: WorldClock.Setting, in world: String) -> Bool {
        watches.withLock { watches in
            if let watch = watches[world], let before = watch.due, before <= due, watch.clock == clock {
                return false
            }
            watches[world]?.due = due
            watches[world]?.clock = clock
            return true
        }
    }

    /// The look that was ordered for then is under way.
    func take(_ due: Date, in world: String) {
        watches.withLock { if $0[world]?.due == due { $0[world]?.due = nil } }
    }

    /// The world has no plans any more.
    func end(_ world: String) { watches.withLock { $0.removeValue(forKey: world) }?.end() }
}

extension PhoneCenter {
    /// Has the plans of a world done that are due, and looks again when the next is.
    func attend(_ world: World) {
        do {
            guard let base = base(of: world) else { return }
            let (due, next) = try Phones(world).takeDue()
            for plan in due { follow(plan.phone, in: world, base) { try $0.keep(plan) } }
            guard let next else { return agenda.end(world.name) }
            agenda.watch(world) { [self, name = world.name] in later(0) { [self] in attend(name) } }
            let clock = world.clock.current
            // A clock that stands still is heard of when it is moved.
            guard clock.frozenAt == nil, agenda.order(next, clock, in: world.name) else { return }
            let seconds = max(next.timeIntervalSince(world.clock.now), 0) + 0.001
            later(min(seconds, 86_400)) { [self, name = world.name] in
                agenda.take(next, in: name)
                attend(name)
            }
        } catch {
            world.services.journal.event("phone failed", "The plans of phones cannot be read: \(error).")
        }
    }

    private func attend(_ name: String) {
        guard let world = world(name) else { return agenda.end(name) }
        attend(world)
    }
}
