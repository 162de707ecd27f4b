package import SQLite

/// A list in a platform's section of a fixture file whose entries are the rows of a table.
///
/// `Rules` is what the section's author can get wrong between the entries, collected while the lists are read in their order.
package struct RecordList<Fixtures, Rules>: Sendable {
    package let load: @Sendable (Fixtures, inout Rules, Connection) throws -> Void
    package let export: @Sendable (inout Fixtures, Connection) throws -> Void

    /// A list whose rows are more than its entries, such as those of one server among several in a table.
    package init(
        load: @escaping @Sendable (Fixtures, inout Rules, Connection) throws -> Void,
        export: @escaping @Sendable (inout Fixtures, Connection) throws -> Void
    ) {
        (self.load, self.export) = (load, export)
    }

    /// - Parameters:
    ///   - name: the member of the section, for what is said of a mistake in it.
    ///   - condition: the rows that an export has; all without one.
    ///   - check: throws ``FixtureProblem`` for what an entry's shape cannot say; the last parameter is its path in the section.
    package init<R: Record>(
        _ name: String, _ list: any WritableKeyPath<Fixtures, [R]?> & Sendable, only condition: SQL? = nil,
        check: @escaping @Sendable (inout Rules, R, [String]) throws -> Void = { _, _, _ in }
    ) {
        load = { section, rules, db in
            for (index, record) in (section[keyPath: list] ?? []).enumerated() {
                try check(&rules, record, [name, String(index)])
                try db.insert(record)
            }
        }
        export = { section, db in
            let records = try db.all(R.self, where: condition)
            section[keyPath: list] = records.isEmpty ? nil : records
        }
    }
}

extension Array {
    /// Loads each list, in their order.
    package func load<Fixtures, Rules>(_ fixtures: Fixtures, _ rules: inout Rules, into db: Connection) throws
    where Element == RecordList<Fixtures, Rules> {
        for list in self { try list.load(fixtures, &rules, db) }
    }

    package func export<Fixtures, Rules>(into fixtures: inout Fixtures, from db: Connection) throws
    where Element == RecordList<Fixtures, Rules> {
        for list in self { try list.export(&fixtures, db) }
    }
}
