import Synchronization

/// Values that are derived from the world's fixtures, such as a decoded configuration, kept so that a request need not
/// derive them again.
///
/// Only for what changes when fixtures are loaded and at no other time. Worlds that began with the same fixtures share them.
package final class Memo: Sendable {
    private let table: Mutex<MemoTable>

    init(_ table: MemoTable) { self.table = Mutex(table) }

    package convenience init() { self.init(MemoTable()) }

    /// The value kept under `name`, or else the one that `make` derives, which is then kept.
    package func value<Value: Sendable>(_ name: String, make: () throws -> Value) rethrows -> Value {
        let table = self.table.withBriefLock { $0 }
        if let kept = table[name] as? Value { return kept }
        let value = try make()
        // If other fixtures were loaded meanwhile, the value may be theirs, and this table nobody's any more.
        self.table.withBriefLock { if $0 === table { table[name] = value } }
        return value
    }

    /// Other fixtures were loaded: what was derived from those before is forgotten.
    func replace(with table: MemoTable) { self.table.withBriefLock { $0 = table } }
}

/// What was derived from one set of fixtures.
final class MemoTable: Sendable {
    private let values = Mutex<[String: any Sendable]>([:])

    subscript(_ name: String) -> (any Sendable)? {
        get { values.withBriefLock { $0[name] } }
        set { values.withBriefLock { $0[name] = newValue } }
    }
}
