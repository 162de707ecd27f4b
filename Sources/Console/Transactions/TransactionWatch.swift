import Essentials
import PlatformKit

/// The transactions of all platforms in one world, and what happens to them.
struct TransactionWatch {
    let world: World
    let platforms: [PlatformCard]

    /// Newest first.
    func all() throws -> [Transaction] {
        try platforms.flatMap { try $0.transactions(world) }.newestFirst(by: \.createdAt)
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

    /// The first value that `choose` finds among the transactions, newest first, within `seconds`.
    func wait<Value>(seconds: Double, for choose: ([Transaction]) throws -> Value?) throws -> Value? {
        try ChangeWatch(world: world).wait(seconds: seconds) {
            let all = try all()
            return ChangeWatch.Look(found: try choose(all), untilNext: untilExpiry(all))
        }
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
