import Synchronization

/// Values that are derived from the world's fixtures, such as a decoded configuration, kept so that a request need not
/// derive them again.
///
/// Only for what changes when fixtures are loaded, or inside ``changing(_:_:)``. Worlds that began with the same fixtures share
/// them. A name begins with the platform's: `hanko.signing`.
package final class Memo: Sendable {
    private let table: Mutex<MemoTable>

    init(_ table: MemoTable) { self.table = Mutex(table) }

    package convenience init() { self.init(MemoTable()) }

    /// The value kept under `name`, or else the one that `make` derives, which is then kept.
    ///
    /// Inlinable: where the type of the value is known, nothing looks up at run time how it is laid out.
    @inlinable
    package func value<Value: Sendable>(_ name: String, make: () throws -> Value) rethrows -> Value {
        let (kept, table) = look(name)
        if let kept = kept as? KeptValue<Value> { return kept.value }
        let value = try make()
        keep(KeptValue(value), as: name, in: table)
        return value
    }

    @usableFromInline
    func look(_ name: String) -> (kept: (any AnyObject & Sendable)?, table: MemoTable) {
        let table = self.table.withBriefLock { $0 }
        return (table[name], table)
    }

    /// If other fixtures were loaded meanwhile, the value may be theirs, and that table nobody's any more.
    @usableFromInline
    func keep(_ value: any AnyObject & Sendable, as name: String, in table: MemoTable) {
        self.table.withBriefLock { if $0 === table { table[name] = value } }
    }

    /// Runs `change`, which changes at run time what values were derived from: those whose name begins with `prefix` are
    /// forgotten. Only this world forgets them.
    package func changing<Result>(_ prefix: String, _ change: () throws -> Result) rethrows -> Result {
        // Before it, so that nothing new reaches the worlds that shared the table; and after it, so that nothing old is left.
        forget(prefix)
        defer { forget(prefix) }
        return try change()
    }

    func forget(_ prefix: String) {
        table.withBriefLock { $0 = $0.copy(without: prefix) }
    }

    /// Other fixtures were loaded: what was derived from those before is forgotten.
    func replace(with table: MemoTable) { self.table.withBriefLock { $0 = table } }
}

/// A value in an object, whose type is told faster than that of a value.
@usableFromInline
final class KeptValue<Value: Sendable>: Sendable {
    @usableFromInline let value: Value
    @inlinable init(_ value: Value) { self.value = value }
}

/// What was derived from one set of fixtures.
@usableFromInline
final class MemoTable: Sendable {
    private let values: Mutex<[String: any AnyObject & Sendable]>

    init(_ values: [String: any AnyObject & Sendable] = [:]) { self.values = Mutex(values) }

    subscript(_ name: String) -> (any AnyObject & Sendable)? {
        get { values.withBriefLock { $0[name] } }
        set { values.withBriefLock { $0[name] = newValue } }
    }

    /// A table of its own, with the values whose name does not begin with `prefix`.
    func copy(without prefix: String) -> MemoTable {
        MemoTable(values.withBriefLock { $0 }.filter { !$0.key.hasPrefix(prefix) })
    }
}
