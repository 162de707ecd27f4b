import Synchronization

/// Bytes that all clients together have us hold: bodies and mails on their way and while they are handled, answers that wait to be read.
package final class MemoryBudget: Sendable {
    package let most: Int
    private let booked = Atomic<Int>(0)

    package init(most: Int) { self.most = most }

    package var bytes: Int { booked.load(ordering: .relaxed) }

    /// Books `count` bytes in the place of those that were booked before; those stay when it is too much.
    package func book(_ count: Int, inPlaceOf before: inout Int) -> Bool {
        let change = count - before
        let sum = booked.add(change, ordering: .relaxed).newValue
        guard change <= 0 || sum <= most else {
            booked.subtract(change, ordering: .relaxed)
            return false
        }
        before = count
        return true
    }
}
