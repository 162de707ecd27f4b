import Essentials
import Synchronization

/// What shall be compared.
package struct ComparisonOrder: Sendable {
    /// Bytes of a recording that a server takes; `understudy compare` takes more.
    package static let recordingLimit = 16 << 20
    /// Requests of one.
    package static let requestLimit = 2000
    /// Seconds that a comparison may take.
    static let patience = 120.0
    /// Bytes that a comparison takes for each of its recording. Source: a recording of 12 MB, which took 90.
    static let memoryFactor = 10

    /// Of the file, for people.
    package var name = "recording"
    package var recording: [UInt8] = []
    /// Those that are meant; empty for all.
    package var platforms: [String] = []
    /// `MOUNT=URL`, or a URL where one platform is named.
    package var bases: [String] = []
    /// Differences that are known, a line each.
    package var rules = ""
    /// Whether nothing is made that the recording takes for granted.
    package var isAsIs = false

    init() {}
}

/// Why a comparison ended without a report: a sentence.
package struct ComparisonFailure: Error {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// A comparison that is under way, as the one who plays it and those who look at it know it.
package final class ComparisonJob: Sendable {
    private struct Progress {
        var done = 0
        var total = 0
        var worlds: [String] = []
        var isStopped = false
    }

    package let order: ComparisonOrder
    private let end: ContinuousClock.Instant
    private let progress = Mutex(Progress())

    init(_ order: ComparisonOrder) {
        self.order = order
        end = .now + .seconds(ComparisonOrder.patience)
    }

    /// Requests that were played, and all that there are.
    var count: (done: Int, total: Int) { progress.withLock { ($0.done, $0.total) } }

    /// Those that were made for it.
    package var worlds: [String] { progress.withLock { $0.worlds } }

    func stop() { progress.withLock { $0.isStopped = true } }

    /// Notes a world that was made.
    package func note(world: String) { progress.withLock { $0.worlds.append(world) } }

    /// - Throws: ``ComparisonFailure`` when it was stopped, or takes too long.
    package func advance(to done: Int, of total: Int) throws {
        let isStopped = progress.withLock { progress in
            (progress.done, progress.total) = (done, total)
            return progress.isStopped
        }
        if isStopped { throw ComparisonFailure("It was stopped.") }
        if ContinuousClock.now > end {
            throw ComparisonFailure(
                "It took longer than \(Int(ComparisonOrder.patience)) seconds, the longest that a server plays; understudy compare has no such limit."
            )
        }
    }
}
