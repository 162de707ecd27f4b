/// A value that is kept: a row of its table, and as JSON an entry of a fixture file, so that it is spelt once.
///
/// Columns, JSON members and coding keys have the same names. A column holds what ``ColumnValue`` says of its property's type: a text,
/// a number, a date; the raw value of an enumeration; anything else as JSON. `nil` is NULL. A word that an enumeration does not know
/// is thrown, not guessed.
package protocol Record: Codable, RowDecodable, Sendable {
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

    package init(_ name: String, _ value: some SQLBindable) {
        (self.name, self.value) = (name, value.sqlValue)
    }
}

/// Where the records of a type are kept.
package struct Table: Sendable {
    let name: String
    /// The columns that name a row.
    let key: [String]
    /// What ``Connection/all(_:where:order:)`` sorts by.
    let order: String
    /// How many rows are kept at most; of more, the oldest go.
    let limit: Int?

    /// - Parameters:
    ///   - key: the columns that name a row, whose values are unique together.
    ///   - order: what lists are sorted by; the order in which rows came, without one. A table `WITHOUT ROWID` needs one.
    ///   - limit: how many rows are kept at most, of a table that has `position INTEGER PRIMARY KEY`.
    package init(
        _ name: StaticString, key: StaticString..., order: StaticString = "rowid", limit: Int? = nil
    ) {
        self.name = "\(name)"
        self.key = key.isEmpty ? ["id"] : key.map { "\($0)" }
        self.order = "\(order)"
        self.limit = limit
    }
}

extension Table: ExpressibleByStringLiteral {
    /// A table whose rows are named by `id`.
    package init(stringLiteral name: StaticString) { self.init(name) }
}
