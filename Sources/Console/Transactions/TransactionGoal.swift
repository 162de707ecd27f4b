import HTTP
import PlatformKit

/// What somebody waits for who follows one transaction.
struct TransactionGoal {
    /// A state, as the platform spells it, letters compared without case.
    var state: String?
    /// More steps of history than so many.
    var after: Int?
    /// That its state cannot change any more.
    var isSettled = false

    /// Every condition holds, or none can begin to hold any more.
    func isReached(by transaction: Transaction) -> Bool {
        guard transaction.isOpen else { return true }
        return !isSettled && (state.map { $0.equalsIgnoringCase(transaction.state) } ?? true)
            && (after.map { transaction.steps.count > $0 } ?? true)
    }
}
