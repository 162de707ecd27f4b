import Synchronization

/// Bytes that all clients together have us hold: bodies and mails on their way and while they are handled, answers that wait to be read.
package final class MemoryBudget: Sendable {
    package let most: Int
    private let booked = Atomic<Int>(0)
    private let freed = Atomic<Int>(0)
    /// Bytes given up at once that ``freed`` counts; less is what the allocator uses again soon.
    private static let large = 256 * 1024

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
        if change <= -Self.large { freed.subtract(change, ordering: .relaxed) }
        return true
    }

    /// Whether large bookings of `least` bytes or more were given up since this was last true.
    package func takeFreed(from least: Int) -> Bool {
        guard freed.load(ordering: .relaxed) >= least else { return false }
        freed.store(0, ordering: .relaxed)
        return true
    }
}
