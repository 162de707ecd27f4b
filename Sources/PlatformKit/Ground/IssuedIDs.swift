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
                if earlier != world { kept.worlds[hash] = Self.several }
                return
            }
            kept.worlds[hash] = world
            guard kept.order.count == Self.most else { return kept.order.append(hash) }
            kept.worlds[kept.order[kept.next]] = nil
            kept.order[kept.next] = hash
            kept.next = (kept.next + 1) % Self.most
        }
    }

    var isEmpty: Bool { kept.withBriefLock { $0.worlds.isEmpty } }

    /// The name of the world that gave it out, unless that is `world`.
    func world(of id: String, besides world: String) -> String? {
        let found = kept.withBriefLock { $0.worlds[id.hashValue] }
        return found == world || found == Self.several ? nil : found
    }
}
