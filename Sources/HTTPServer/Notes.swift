import Sockets
import Synchronization

/// What the poller has told of a place and nobody has looked at yet: for whom, and what for. Any thread may add, without a lock.
struct Notes: ~Copyable {
    private static let readinessBits = 8
    /// The turn of whom it is for, and below that the readiness; 0 when there is none.
    private let value = Atomic<UInt32>(0)

    /// Whether something is noted that the thread has to look at which has given the lock back last. Who notes something and does not get
    /// the lock then is sure that its holder sees it here: of two threads that write and then read what the other has written, one sees it.
    var isEmpty: Bool {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return value.load(ordering: .relaxed) == 0
    }

    /// Adds to what is noted for the same turn. What comes late, for somebody who has left the place, covers nothing that is told of who
    /// has it now.
    ///
    /// - Parameter now: the turn of whoever has the place.
    /// - Returns: whether it is noted.
    func add(_ readiness: Poller.Readiness, for turn: UInt16, now: () -> UInt16) -> Bool {
        var old = value.load(ordering: .acquiring)
        // In this order: when the place is given away between the two and something is noted, the exchange fails.
        while now() == turn {
            let own = UInt32(turn) << Self.readinessBits
            let before = old >> Self.readinessBits == UInt32(turn) ? old : own
            let outcome = value.weakCompareExchange(
                expected: old, desired: before | UInt32(readiness.rawValue), ordering: .acquiringAndReleasing)
            if outcome.exchanged { return true }
            old = outcome.original
        }
        return false
    }

    /// - Returns: what was noted for `turn`; nil when nothing was.
    func take(of turn: UInt16) -> Poller.Readiness? {
        let taken = value.exchange(0, ordering: .acquiringAndReleasing)
        guard taken != 0, taken >> Self.readinessBits == UInt32(turn) else { return nil }
        return Poller.Readiness(rawValue: UInt8(truncatingIfNeeded: taken))
    }
}
