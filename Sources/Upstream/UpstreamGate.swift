import Synchronization

/// Bounds what the services of others can cost this program: exchanges at once, each of which holds a thread, and bytes of answers that
/// are held.
package final class UpstreamGate: Sendable {
    package let most: Int
    let mostBytes: Int
    private let exchanges = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)

    package init(most: Int, mostBytes: Int) {
        (self.most, self.mostBytes) = (most, mostBytes)
    }

    /// Of one exchange, as long as somebody keeps it.
    final class Place: Sendable {
        private let gate: UpstreamGate
        private let held = Atomic<Int>(0)

        fileprivate init(_ gate: UpstreamGate) { self.gate = gate }

        deinit {
            gate.exchanges.subtract(1, ordering: .relaxed)
            gate.bytes.subtract(held.load(ordering: .relaxed), ordering: .relaxed)
        }

        /// Whether so many bytes more may be held.
        func hold(_ count: Int) -> Bool {
            held.add(count, ordering: .relaxed)
            return gate.bytes.add(count, ordering: .relaxed).newValue <= gate.mostBytes
        }
    }

    /// Nil where there are as many as may be.
    func enter() -> Place? {
        guard exchanges.add(1, ordering: .relaxed).newValue <= most else {
            exchanges.subtract(1, ordering: .relaxed)
            return nil
        }
        return Place(self)
    }

    var count: Int { exchanges.load(ordering: .relaxed) }
}
