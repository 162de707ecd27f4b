import Synchronization

/// Every place for a client, taken and free.
final class ConnectionTable: Sendable {
    private struct Lists {
        var all: [Connection] = []
        var free: [Connection] = []
    }

    private let lists = Mutex(Lists())
    private let open = Atomic<Int>(0)

    /// Places that are taken.
    var count: Int { open.load(ordering: .acquiring) }

    /// A free place, or one that `make` makes, and how many are taken now; `nil` when `most` are.
    func take(most: Int, _ make: () -> Connection) -> (place: Connection, count: Int)? {
        lists.withLock { lists in
            guard lists.all.count - lists.free.count < most else { return nil }
            let count = open.add(1, ordering: .acquiringAndReleasing).newValue
            if let free = lists.free.popLast() { return (free, count) }
            let made = make()
            lists.all.append(made)
            return (made, count)
        }
    }

    func giveBack(_ connection: Connection) {
        lists.withLock { lists in
            lists.free.append(connection)
            open.subtract(1, ordering: .acquiringAndReleasing)
        }
    }

    /// Every place, the free ones too.
    var all: [Connection] { lists.withLock(\.all) }

    /// Lets go of every place.
    func empty() { lists.withLock { $0 = Lists() } }
}
