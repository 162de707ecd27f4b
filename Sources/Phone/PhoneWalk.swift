import Essentials
package import HTTP
package import PlatformKit
import SQLite
import Synchronization

/// A move of a world's clock with stops on the way.
private final class Walk: Sendable {
    private struct State: Sendable {
        var secondsLeft: Double
        var stopsLeft: Int
        var underWay = 0
        var failure: (any Error)?
        var isOver = false
    }

    let bell = Bell()
    let phones: [String]
    private let state: Mutex<State>

    init(seconds: Double, stops: Int, phones: [String]) {
        self.phones = phones
        state = Mutex(State(secondsLeft: seconds, stopsLeft: stops))
    }

    /// Nil as long as it goes on.
    var outcome: Result<Void, any Error>? {
        state.withLock { state in
            guard state.isOver else { return nil }
            return state.failure.map(Result.failure) ?? .success(())
        }
    }

    /// - Parameter due: seconds until the next stop is wanted; nil for none.
    /// - Returns: seconds to move the clock by; nil at the end.
    func nextStep(_ due: Double?) -> Double? {
        state.withLock { state in
            guard state.secondsLeft > 0 || due.map({ $0 <= 0 }) ?? false, state.stopsLeft >= 0 else {
                return nil
            }
            let step =
                state.stopsLeft == 0
                ? state.secondsLeft : min(max((due ?? .infinity) + 0.001, 0), state.secondsLeft)
            state.secondsLeft -= step
            state.stopsLeft -= 1
            return step
        }
    }

    func begin(_ count: Int) { state.withLock { $0.underWay = count } }

    /// - Returns: whether all that were under way have come back.
    func comeBack() -> Bool {
        state.withLock { state in
            state.underWay -= 1
            return state.underWay <= 0
        }
    }

    func end(_ failure: (any Error)?) {
        state.withLock { ($0.isOver, $0.failure) = (true, failure) }
        bell.ring()
    }
}

extension PhoneCenter {
    /// Stops on the way of a clock at most; the rest is one leap.
    private static let stopLimit = 1000
    /// Seconds of real time that a clock may be under way.
    private static let walkLimit = 120.0

    /// Moves the clock of a world. Phones that keep alive do on the way what is due; others are late with it.
    ///
    /// - Parameters:
    ///   - base: where the platforms of the world are.
    ///   - answer: is called once the clock has arrived.
    /// - Throws: ``ClockOutOfRange``.
    package func advance(
        _ world: World, by seconds: Double, at base: String,
        then answer: @escaping @Sendable () throws -> Response
    ) throws -> Response {
        let awake = try Phones(world).all().filter { $0.keepsAlive && $0.network != .offline }.map(\.name)
        let end = world.clock.now.addingTimeInterval(seconds)
        guard seconds > 0, !awake.isEmpty, WorldClock.range.contains(end) else {
            try move(world, by: seconds)
            return try answer()
        }
        let walk = Walk(seconds: seconds, stops: Self.stopLimit, phones: awake)
        agenda.setWalkers(Set(awake), in: world.name)
        goOn(walk, in: world, at: base)
        return try walk.bell.occasion().answer(
            within: Self.walkLimit, find: { walk.outcome },
            with: { outcome in
                guard let outcome else { throw PhoneRefusal.stillWalking }
                try outcome.get()
                return try answer()
            })
    }

    private func move(_ world: World, by seconds: Double) throws {
        try world.clock.advance(seconds: seconds)
        world.clockMoved()
    }

    private func end(_ walk: Walk, in world: World, _ failure: (any Error)? = nil) {
        agenda.setWalkers(nil, in: world.name)
        attend(world)
        walk.end(failure)
    }

    private func goOn(_ walk: Walk, in world: World, at base: String) {
        do {
            let due = try walk.phones.compactMap { try look(at: $0, in: world).dueAt }.min()
            guard let step = walk.nextStep(due?.timeIntervalSince(world.clock.now)) else {
                return end(walk, in: world)
            }
            try move(world, by: step)
            let ready = try walk.phones.filter { phone in
                try look(at: phone, in: world).dueAt.map { $0 <= world.clock.now } ?? false
            }
            guard !ready.isEmpty else { return goOn(walk, in: world, at: base) }
            walk.begin(ready.count)
            for phone in ready {
                follow(phone, in: world, base) {
                    try $0.keepUp()
                } done: { [self] in
                    if walk.comeBack() { goOn(walk, in: world, at: base) }
                }
            }
        } catch {
            end(walk, in: world, error)
        }
    }
}
