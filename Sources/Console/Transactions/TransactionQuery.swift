import HTTP
import PlatformKit

/// Which transactions are meant; every condition that is set must hold.
struct TransactionQuery {
    /// Name of a platform.
    var platform: String?
    /// As the platform spells it, letters compared without case.
    var state: String?
    var user: String?
    /// Whether the state can still change.
    var isOpen: Bool?
    /// At most so many, the newest.
    var limit = 200

    /// Whether every condition but the limit holds.
    func fits(_ transaction: Transaction) -> Bool {
        (platform.map { $0 == transaction.platform } ?? true)
            && (state.map { $0.equalsIgnoringCase(transaction.state) } ?? true)
            && (user.map { $0 == transaction.user } ?? true)
            && (isOpen.map { $0 == transaction.isOpen } ?? true)
    }

    /// Those that fit, in their order.
    func chosen(from transactions: [Transaction]) -> [Transaction] {
        Array(transactions.lazy.filter { fits($0) }.prefix(limit))
    }
}
