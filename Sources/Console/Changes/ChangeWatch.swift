import Essentials
import PlatformKit

/// Looks at a world again whenever something has happened in it.
///
/// Whatever changes leaves an entry in the journal, except what time alone changes.
struct ChangeWatch {
    let world: World

    /// What one look found.
    struct Look<Value> {
        let found: Value?
        /// Seconds after which time alone may have changed something.
        let untilNext: Double
    }

    /// The first value that `look` finds: at once, after every entry of the journal, and when its time has come, for at most
    /// `seconds`.
    func wait<Value>(seconds: Double, look: () throws -> Look<Value>) throws -> Value? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let begin = ContinuousClock.now
            // Read before looking, so that what is written between the two is not missed.
            let seen = newestEntry
            let look = try look()
            if let found = look.found { return found }
            let left = ContinuousClock.now.duration(to: deadline) / .seconds(1)
            guard left > 0, rest(min(left, look.untilNext), after: seen) else { return nil }
            // In a busy world, not every entry is worth a look of everyone who waits.
            let early = Self.pause - begin.duration(to: .now) / .seconds(1)
            guard early <= 0 || rest(min(left, early), after: .max) else { return nil }
        }
    }

    /// Seconds from one look to the next, at least.
    private static let pause = 0.02

    /// Waits for an entry after the one called `seen`.
    ///
    /// - Returns: false when the world has ended: nobody waits in it any more, and the time is not over.
    private func rest(_ seconds: Double, after seen: Int) -> Bool {
        var query = Journal.Query()
        query.after = seen
        query.limit = 1
        let begin = ContinuousClock.now
        if !world.journal.entries(query, waiting: seconds).isEmpty { return true }
        return begin.duration(to: .now) / .seconds(1) >= seconds / 2
    }

    private var newestEntry: Int {
        var query = Journal.Query()
        query.limit = 1
        return world.journal.entries(query).first?.id ?? 0
    }
}

extension Array {
    /// In falling order of their dates; what is of one date stays in its order.
    func newestFirst(by date: (Element) -> Date) -> [Element] {
        enumerated().sorted { left, right in
            let (one, other) = (date(left.element), date(right.element))
            return one == other ? left.offset < right.offset : one > other
        }.map(\.element)
    }
}
