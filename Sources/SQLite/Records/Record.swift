/// A value that is kept: a row of its table, and as JSON an entry of a fixture file, so that it is spelt once.
///
/// Columns, JSON members and coding keys have the same names. A column holds what ``ColumnValue`` says of its property's type: a text,
/// a number, a date; the raw value of an enumeration; anything else as JSON. `nil` is NULL. A word that an enumeration does not know
/// is thrown, not guessed.
package protocol Record: Codable, RowDecodable, Sendable {
    /// The columns that hold its properties.
    associatedtype CodingKeys: CodingKey

    static var table: Table { get }

    /// Columns that follow from the others and are not told outside, such as a digest to look up by.
    var derivedColumns: [DerivedColumn] { get }
}

extension Record {
    package var derivedColumns: [DerivedColumn] { [] }

    package init(row: Row) throws { try self.init(from: RowDecoder(row: row)) }
}

/// See ``Record/derivedColumns``.
package struct DerivedColumn {
    let name: String
    let value: SQLValue

    package init<Value: SQLBindable>(_ name: String, _ value: Value?) {
        (self.name, self.value) = (name, value?.sqlValue ?? .null)
    }
}

/// Where the records of a type are kept.
package struct Table: Sendable {
    package let name: String
    /// The columns that name a row.
    let key: [String]
    /// What ``Connection/all(_:where:order:)`` sorts by.
    let order: String
    /// How many rows are kept at most; of more, the oldest go.
    let limit: Int?
    /// Which rows are kept whatever the limit, a condition.
    let keeping: String?
    /// How long a row is kept after its `expires_at`; nil for ever.
    let keptSeconds: Double?
    /// Columns whose whole numbers may lie below zero.
    package let signed: [String]

    /// - Parameters:
    ///   - key: the columns that name a row, whose values are unique together; `id` without any. `position` for records that are only
    ///     added and read.
    ///   - order: what lists are sorted by; the order in which rows came, without one. A table `WITHOUT ROWID` needs one.
    ///   - limit: how many rows are kept at most, counted by their numbers: not of a table `WITHOUT ROWID`.
    ///   - keeping: a condition of the rows that stay whatever the limit.
    ///   - keptSeconds: how long a row is kept after its `expires_at`; see ``Connection/tidy(_:at:)``.
    ///   - signed: the columns whose whole numbers may lie below zero; no other does in a sound file.
    package init(
        _ name: StaticString, key: StaticString..., order: StaticString = "rowid", limit: Int? = nil,
        keeping: StaticString? = nil, keptSeconds: Double? = nil, signed: [StaticString] = []
    ) {
        self.name = "\(name)"
        self.key = key.isEmpty ? ["id"] : key.map { "\($0)" }
        self.order = "\(order)"
        self.limit = limit
        self.keeping = keeping.map { "\($0)" }
        self.keptSeconds = keptSeconds
        self.signed = signed.map { "\($0)" }
    }
}

extension Table: ExpressibleByStringLiteral {
    /// A table whose rows are named by `id`.
    package init(stringLiteral name: StaticString) { self.init(name) }
}

/// Records of a table that has no key among their properties can be added and read, not changed.
package struct NoKey: Error, CustomStringConvertible {
    let table: String

    package var description: String { "the records of \(table) have no key" }
}
