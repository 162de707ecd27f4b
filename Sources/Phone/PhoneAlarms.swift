import Essentials
package import HTTP
package import PlatformKit
import Synchronization

/// When phones have something to do by themselves, such as a ping.
///
/// It is kept in memory alone: after a start of the program an app has its alarms again once the phone was used for anything.
final class Alarms: Sendable {
    /// A phone, by the names of its world and its own.
    struct Place: Hashable, Sendable {
        let world: String
        let phone: String
    }

    private struct Alarm: Sendable {
        let dueAt: Date
        /// How often it has rung since somebody used the phone.
        var times: Int
        /// Tells an alarm from one that was set later; nil once it rang.
        var number: Int?
    }

    private struct State: Sendable {
        var alarms: [Place: Alarm] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// A phone that nobody uses pings so often and no more, or it would keep its world for ever.
    private static let limit = 100

    /// - Parameter isRinging: an alarm is why it is set anew.
    /// - Returns: the number to ring it with; nil when it is set already, or when nobody uses the phone any more.
    func set(_ dueAt: Date?, at place: Place, isRinging: Bool) -> Int? {
        state.withLock { state in
            let before = state.alarms[place]
            guard let dueAt else {
                state.alarms[place] = nil
                return nil
            }
            let times = isRinging ? (before?.times ?? 0) + 1 : 0
            guard times < Self.limit else {
                state.alarms[place] = nil
                return nil
            }
            if let before, before.dueAt == dueAt, before.number != nil {
                state.alarms[place]?.times = times
                return nil
            }
            state.count += 1
            state.alarms[place] = Alarm(dueAt: dueAt, times: times, number: state.count)
            return state.count
        }
    }

    /// Rings an alarm, unless it rang or another one took its place.
    func take(_ number: Int, at place: Place) -> Bool {
        state.withLock { state in
            guard state.alarms[place]?.number == number else { return false }
            state.alarms[place]?.number = nil
            return true
        }
    }

    /// Those that have not rung yet, by the names of phones.
    func standing(in world: String) -> [(phone: String, dueAt: Date, number: Int)] {
        state.withLock { state in
            state.alarms.compactMap { place, alarm in
                guard place.world == world, let number = alarm.number else { return nil }
                return (place.phone, alarm.dueAt, number)
            }
        }
    }

    func clear() { state.withLock { $0 = State() } }
}

extension PhoneCenter {
    /// Seconds from one attempt to the next at least, where what is due does not succeed.
    private static let leastWait = 1.0

    func setAlarm(for session: PhoneSession, in world: World, isRinging: Bool = false) {
        let place = Alarms.Place(world: world.name, phone: session.phone.name)
        let dueAt = session.phone.network == .offline ? nil : session.dueAt
        guard let number = alarms.set(dueAt, at: place, isRinging: isRinging), let dueAt else { return }
        wait(for: number, dueAt, at: place, in: world)
    }

    private func wait(for number: Int, _ dueAt: Date, at place: Alarms.Place, in world: World) {
        // A clock that stands still is moved by somebody, who says so.
        guard !world.clock.isFrozen else { return }
        let seconds = dueAt.timeIntervalSince(world.clock.now)
        later(max(Self.leastWait, seconds)) { [self] in ring(number, at: place) }
    }

    private func ring(_ number: Int, at place: Alarms.Place) {
        guard alarms.take(number, at: place) else { return }
        reach(place.phone, in: place.world) { session in
            session.isRinging = true
            try session.keepUp()
        }
    }

    /// The clock of a world was moved: what is due by now is done, late; the rest has another while to wait.
    package func clockMoved(in world: World) { clockMoved(in: world, except: []) }

    private func clockMoved(in world: World, except phones: [String]) {
        let now = world.clock.now
        for (phone, dueAt, number) in alarms.standing(in: world.name) where !phones.contains(phone) {
            let place = Alarms.Place(world: world.name, phone: phone)
            if dueAt <= now {
                ring(number, at: place)
            } else {
                wait(for: number, dueAt, at: place, in: world)
            }
        }
    }
}

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

    func end(_ failure: (any Error)? = nil) {
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
            try move(world, by: seconds, except: [])
            return try answer()
        }
        let walk = Walk(seconds: seconds, stops: Self.stopLimit, phones: awake)
        goOn(walk, in: world, at: base)
        return try walk.bell.occasion().answer(
            within: Self.walkLimit, find: { walk.outcome },
            with: { outcome in
                guard let outcome else { throw PhoneRefusal.busy }
                try outcome.get()
                return try answer()
            })
    }

    private func move(_ world: World, by seconds: Double, except phones: [String]) throws {
        try world.clock.advance(seconds: seconds)
        world.clockMoved()
        clockMoved(in: world, except: phones)
    }

    private func goOn(_ walk: Walk, in world: World, at base: String) {
        do {
            let due = try walk.phones.compactMap { try look(at: $0, in: world).dueAt }.min()
            guard let step = walk.nextStep(due?.timeIntervalSince(world.clock.now)) else { return walk.end() }
            try move(world, by: step, except: walk.phones)
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
            walk.end(error)
        }
    }
}
