import Essentials
import HTTP
import PlatformKit

/// The transactions of all platforms in one world, and what happens to them.
struct TransactionWatch: Sendable {
    let world: World
    let platforms: [any Platform.Type]

    /// Newest first.
    func all() throws -> [Transaction] {
        try platforms.flatMap { try transactions(of: $0) }.newestFirst(by: \.createdAt)
    }

    /// How many can still change.
    func countOpen() throws -> Int {
        try platforms.reduce(0) {
            try $0 + (world.ask($1, (any HoldsTransactions).self)?.countOpenTransactions() ?? 0)
        }
    }

    /// The transaction with this id, and the platform that has it; nil when there is none.
    func find(_ id: String) throws -> (transaction: Transaction, platform: any Platform.Type)? {
        for platform in platforms {
            if let found = try transactions(of: platform).first(where: { $0.id == id }) {
                return (found, platform)
            }
        }
        return nil
    }

    private func transactions(of platform: any Platform.Type) throws -> [Transaction] {
        try world.ask(platform, (any HoldsTransactions).self)?.transactions() ?? []
    }

    /// What `answer` makes of the first value that `choose` finds among the transactions, newest first, within `seconds`.
    func answer<Value>(
        within seconds: Double, choose: @escaping @Sendable ([Transaction]) throws -> Value?,
        with answer: @escaping @Sendable (Value?) throws -> Response
    ) throws -> Response {
        try ChangeWatch(world: world).answer(within: seconds, "transactions", all) { all in
            Look(try choose(all), untilNext: untilExpiry(all))
        } with: {
            try answer($0)
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
