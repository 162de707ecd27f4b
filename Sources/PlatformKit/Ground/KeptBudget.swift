import Synchronization

/// Memory for what all worlds keep of the latest, such as their journals. When together they have too much, those with the most let their
/// oldest go, down to a height that all may have; worlds with little lose nothing.
package final class KeptBudget: Sendable {
    package let most: Int
    private let total = Atomic<Int>(0)
    private let members = Mutex<[ObjectIdentifier: Member]>([:])
    private let isSettling = Atomic<Bool>(false)

    private struct Member {
        weak var keeper: (any Keeper)?
    }

    /// - Parameter most: bytes.
    package init(most: Int) { self.most = most }

    package var bytes: Int { total.load(ordering: .relaxed) }

    /// `keeper` has something to let go of, from now on.
    func join(_ keeper: any Keeper) {
        members.withLock { $0[ObjectIdentifier(keeper)] = Member(keeper: keeper) }
    }

    /// A keeper is gone, with so many bytes.
    func leave(_ keeper: ObjectIdentifier, bytes: Int) {
        members.withLock { _ = $0.removeValue(forKey: keeper) }
        total.subtract(bytes, ordering: .relaxed)
    }

    /// A keeper has `change` bytes more, or less. No lock of a keeper may be held.
    func note(_ change: Int) {
        let bytes = total.add(change, ordering: .relaxed).newValue
        if change > 0, bytes > most { settle() }
    }

    /// An eighth is made free at once, so that it is not looked for at every step.
    private func settle() {
        guard !isSettling.exchange(true, ordering: .acquiringAndReleasing) else { return }
        defer { isSettling.store(false, ordering: .releasing) }
        let keepers = members.withLock { $0.values.compactMap(\.keeper) }
        let sizes = keepers.map(\.keptBytes)
        let level = Self.level(of: sizes, within: most - most / 8)
        for (keeper, size) in zip(keepers, sizes) where size > level { keeper.shrink(to: level) }
    }

    /// The height to which the highest of `sizes` are cut so that their sum is at most `most`.
    static func level(of sizes: [Int], within most: Int) -> Int {
        var left = most
        for (index, size) in sizes.sorted().enumerated() {
            let share = left / (sizes.count - index)
            if size > share { return share }
            left -= size
        }
        return .max
    }
}

/// What keeps the latest of something, and can let the oldest go.
protocol Keeper: AnyObject, Sendable {
    var keptBytes: Int { get }
    /// Lets the oldest go until at most `bytes` are left, but never the newest.
    func shrink(to bytes: Int)
}
