import Synchronization

/// Values that are derived from the world's fixtures, such as a decoded configuration, kept so that a request need not
/// derive them again.
///
/// Only for what changes when fixtures are loaded and at no other time: loading, resetting and restoring empty it.
package final class Memo: Sendable {
    private let values = Mutex<[String: any Sendable]>([:])

    package init() {}

    /// The value kept under `name`, or else the one that `make` derives, which is then kept.
    package func value<Value: Sendable>(_ name: String, make: () throws -> Value) rethrows -> Value {
        if let kept = values.withLock({ $0[name] }) as? Value { return kept }
        let value = try make()
        values.withLock { $0[name] = value }
        return value
    }

    func empty() { values.withLock { $0.removeAll() } }
}
