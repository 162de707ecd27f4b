import Synchronization

/// How many requests were answered since the start, by platform and status. Those of console and control API are not counted.
package final class RequestCounts: Sendable {
    package struct Key: Hashable, Sendable, Comparable {
        /// Nil for what belongs to no platform, such as a path that nobody has.
        package let platform: String?
        package let status: Int

        package static func < (left: Key, right: Key) -> Bool {
            (left.platform ?? "", left.status) < (right.platform ?? "", right.status)
        }
    }

    private let counts = Mutex<[Key: Int]>([:])

    package init() {}

    func note(_ platform: String?, _ status: Int) {
        counts.withBriefLock { $0[Key(platform: platform, status: status), default: 0] += 1 }
    }

    /// Sorted.
    package var all: [(key: Key, count: Int)] {
        counts.withBriefLock { $0 }.sorted { $0.key < $1.key }.map { (key: $0.key, count: $0.value) }
    }
}
