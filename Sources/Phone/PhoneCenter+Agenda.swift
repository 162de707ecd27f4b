import Essentials
package import PlatformKit
import SQLite
import Synchronization

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
