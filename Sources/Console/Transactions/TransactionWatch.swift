import Essentials
import PlatformKit

/// The transactions of all platforms in one world, and what happens to them.
struct TransactionWatch {
    let world: World
    let platforms: [PlatformCard]

    /// Newest first.
    func all() throws -> [Transaction] {
        let found = try platforms.flatMap { try $0.transactions(world) }
        return found.enumerated().sorted { left, right in
            let (one, other) = (left.element.createdAt, right.element.createdAt)
            return one == other ? left.offset < right.offset : one > other
        }.map(\.element)
    }

    /// The transaction with this id, and the platform that has it; nil when there is none.
    func find(_ id: String) throws -> (transaction: Transaction, platform: PlatformCard)? {
        for platform in platforms {
            if let found = try platform.transactions(world).first(where: { $0.id == id }) {
                return (found, platform)
            }
        }
        return nil
    }

    /// The first value that `choose` finds among the transactions, newest first: at once, after every entry of the journal, and
    /// when one of them expires, for at most `seconds`.
    ///
    /// Whatever changes a transaction leaves an entry, except time that passes.
    func wait<Value>(seconds: Double, for choose: ([Transaction]) throws -> Value?) throws -> Value? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let begin = ContinuousClock.now
            // Read before looking, so that what is written between the two is not missed.
            let seen = newestEntry
            let all = try all()
            if let found = try choose(all) { return found }
            let left = ContinuousClock.now.duration(to: deadline) / .seconds(1)
            guard left > 0, rest(min(left, untilExpiry(all)), after: seen) else { return nil }
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

    /// Seconds until the next open transaction expires.
    private func untilExpiry(_ transactions: [Transaction]) -> Double {
        guard !world.clock.isFrozen else { return .infinity }
        let now = world.clock.now
        let left = transactions.lazy.filter { $0.isOpen && $0.expiresAt > now }
            .map { $0.expiresAt.timeIntervalSince(now) }
        return left.min() ?? .infinity
    }
}
