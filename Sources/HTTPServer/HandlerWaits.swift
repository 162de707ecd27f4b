import Synchronization

/// Counts the handlers that call another server, and hold a thread of this one until it has answered.
///
/// Whoever lets a handler wait so says so here, and the server puts another thread in its place at once. Of waits that nobody
/// tells it learns by watching, which takes some milliseconds.
package final class HandlerWaits: Sendable {
    private let waiting = Atomic<Int>(0)
    private let replacement = Mutex<Replacement?>(nil)

    /// A struct, because a bare closure in a lock is wrapped anew with each read (swiftlang/swift issue 91348).
    private struct Replacement: Sendable {
        let call: @Sendable () -> Void
    }

    package init() {}

    /// The calling handler is about to wait.
    package func begin() {
        waiting.add(1, ordering: .sequentiallyConsistent)
        replacement.withLock { $0 }?.call()
    }

    /// The calling handler goes on.
    package func end() { waiting.subtract(1, ordering: .sequentiallyConsistent) }

    var count: Int { waiting.load(ordering: .sequentiallyConsistent) }

    /// - Parameter replace: called for every handler that begins to wait; nil when the server has stopped.
    func onBegin(_ replace: (@Sendable () -> Void)?) {
        let new = replace.map { Replacement(call: $0) }
        replacement.withLock { $0 = new }
    }
}
