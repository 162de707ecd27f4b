import Synchronization

/// Bytes of what all clients together have sent in part: unfinished bodies, unfinished mails.
package final class MemoryBudget: Sendable {
    private let most: Int
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
