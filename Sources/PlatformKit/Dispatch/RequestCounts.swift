import HTTP
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

    package struct Count: Sendable {
        package fileprivate(set) var all = 0
        /// Those of them that were refused: with a status of 400 or more, or by an error that a redirect carries.
        package fileprivate(set) var refused = 0

        fileprivate mutating func add(isRefused: Bool) {
            all += 1
            if isRefused { refused += 1 }
        }
    }

    private let counts = Mutex<[Key: Count]>([:])

    package init() {}

    func note(_ platform: String?, _ response: Response) {
        let key = Key(platform: platform, status: response.status.code)
        let isRefused = response.isRefusal
        counts.withBriefLock { $0[key, default: Count()].add(isRefused: isRefused) }
    }

    /// Sorted.
    package var all: [(key: Key, count: Count)] {
        counts.withBriefLock { $0 }.sorted { $0.key < $1.key }.map { (key: $0.key, count: $0.value) }
    }
}
