package import Essentials
import Synchronization

/// Real time for a test: it moves when told to.
package final class ManualTime: Sendable {
    /// 2026-01-02T03:04:05Z.
    package static let start = Date(timeIntervalSince1970: 1_767_323_045)

    private let time = Mutex(ManualTime.start)

    package init() {}

    package var now: Date { time.withLock { $0 } }
    package func advance(seconds: Double) { time.withLock { $0 += seconds } }
}
