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
    private let kept = Mutex(Kept())

    package init() {}

    /// - Parameter world: the name of the world that gave out `id`.
    func note(_ id: String, in world: String) {
        let hash = id.hashValue
        kept.withBriefLock { kept in
            guard kept.worlds.updateValue(world, forKey: hash) == nil else { return }
            guard kept.order.count == Self.most else { return kept.order.append(hash) }
            kept.worlds[kept.order[kept.next]] = nil
            kept.order[kept.next] = hash
            kept.next = (kept.next + 1) % Self.most
        }
    }

    /// The name of the world that gave it out, unless that is `world`.
    func world(of id: String, besides world: String) -> String? {
        let found = kept.withBriefLock { $0.worlds[id.hashValue] }
        return found == world ? nil : found
    }
}
