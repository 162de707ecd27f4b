import Synchronization

/// Values that are derived from the world's fixtures, such as a decoded configuration, kept so that a request need not
/// derive them again.
///
/// Only for what changes when fixtures are loaded and at no other time: loading, resetting and restoring empty it.
package final class Memo: Sendable {
    private struct State {
        var values: [String: any Sendable] = [:]
        /// How often the memo was emptied.
        var generation = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The value kept under `name`, or else the one that `make` derives, which is then kept, unless the memo was emptied
    /// meanwhile: then it may come from the fixtures before.
    package func value<Value: Sendable>(_ name: String, make: () throws -> Value) rethrows -> Value {
        let (kept, generation) = state.withLock { ($0.values[name], $0.generation) }
        if let kept = kept as? Value { return kept }
        let value = try make()
        state.withLock { state in
            if state.generation == generation { state.values[name] = value }
        }
        return value
    }

    func empty() {
        state.withLock { $0 = State(generation: $0.generation + 1) }
    }
}
