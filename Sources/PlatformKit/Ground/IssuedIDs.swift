import Synchronization

/// Which world gave out which ids, such as those of sessions: to say whose an id is that comes to another world by mistake. Of the newest few
/// thousand; nothing else is known across worlds.
package final class IssuedIDs: Sendable {
    private struct Kept {
        /// By hashes, which differ from one run of the program to the next.
        var worlds: [Int: String] = [:]
        /// The same hashes, the oldest at `next`.
        var order: [Int] = []
        var next = 0
        /// Ids that are kept of each world.
        var counts: [String: Int] = [:]

        mutating func keep(_ hash: Int, of world: String) {
            if let earlier = worlds.updateValue(world, forKey: hash) { count(earlier, -1) }
            count(world, 1)
        }

        mutating func forget(_ hash: Int) {
            if let world = worlds.removeValue(forKey: hash) { count(world, -1) }
        }

        private mutating func count(_ world: String, _ change: Int) {
            let count = counts[world, default: 0] + change
            counts[world] = count == 0 ? nil : count
        }
    }

    private static let most = 4096
    /// In the place of a name, where more than one world gave out the id.
    private static let several = ""
    private let kept = Mutex(Kept())

    package init() {}

    /// - Parameter world: the name of the world that gave out `id`.
    func note(_ id: String, in world: String) {
        let hash = id.hashValue
        kept.withBriefLock { kept in
            if let earlier = kept.worlds[hash] {
                // Worlds of one seed give out the same ids: of those nothing is told.
                if earlier != world { kept.keep(hash, of: Self.several) }
                return
            }
            kept.keep(hash, of: world)
            guard kept.order.count == Self.most else { return kept.order.append(hash) }
            kept.forget(kept.order[kept.next])
            kept.order[kept.next] = hash
            kept.next = (kept.next + 1) % Self.most
        }
    }

    /// Whether ids of other worlds are known, of which ``world(of:besides:)`` could find one.
    func knowsOthers(than world: String) -> Bool {
        kept.withBriefLock { kept in
            let own = [world, Self.several].count { kept.counts[$0] != nil }
            return kept.counts.count > own
        }
    }

    /// The name of the world that gave it out, unless that is `world`.
    func world(of id: String, besides world: String) -> String? {
        let found = kept.withBriefLock { $0.worlds[id.hashValue] }
        return found == world || found == Self.several ? nil : found
    }
}
