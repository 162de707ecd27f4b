import Synchronization

/// Lines that the program would have written to standard error.
package final class Reports: Sendable {
    private let kept = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { kept.withLock { $0 } }
    package func add(_ line: String) { kept.withLock { $0.append(line) } }
}
