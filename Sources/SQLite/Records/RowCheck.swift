import CSQLite
import Essentials

/// Who reads the rows of a table, for a look at whether they are sound.
package struct RowReader: Sendable {
    package let table: String
    /// Columns whose whole numbers may lie below zero.
    let signed: Set<String>
    let read: @Sendable (Row) throws -> Void

    package init<Value: RowDecodable & SendableMetatype>(
        _: Value.Type, table: String, signed: Set<String> = []
    ) {
        (self.table, self.signed) = (table, signed)
        read = { _ = try Value(row: $0) }
    }

    package init<R: Record>(_ type: R.Type) {
        self.init(type, table: R.table.name, signed: Set(R.table.signed))
    }
}

/// What is wrong with a table that came from outside.
package struct UnsoundTable: Error, Equatable, CustomStringConvertible {
    package let table: String
    /// Nil where it is not one column's.
    package let column: String?
    package let reason: String

    package init(_ table: String, _ column: String? = nil, _ reason: String) {
        (self.table, self.column, self.reason) = (table, column, reason)
    }

    /// For the end of a sentence.
    package var description: String { "table \(table), \(column.map { "column \($0): " } ?? "")\(reason)" }
}

// Rows that came from outside: whether this program could have written them.
extension Connection {
    /// Reads every row of the table, column by column and as what its reader makes of it.
    ///
    /// - Parameter reader: nil for a table whose rows nobody reads whole.
    /// - Throws: ``UnsoundTable`` for the first that is not as it was written.
    package func checkRows(of table: String, as reader: RowReader?) throws {
        do {
            try each("SELECT * FROM \(name: table)") { row in
                var row = row
                row.isStrict = true
                try row.checkColumns(signed: reader?.signed ?? [])
                try reader?.read(row)
            }
        } catch let error as ColumnMismatch {
            throw UnsoundTable(table, error.column, "expected \(error.expected), found \(error.found)")
        }
    }

    /// The numbers by which SQLite counts its rows: there is always room for more.
    ///
    /// - Throws: ``UnsoundTable``.
    package func checkNumbers(of table: String) throws {
        let last = try value(Int64.self, "SELECT max(rowid) FROM \(name: table)") ?? 0
        let first = try value(Int64.self, "SELECT min(rowid) FROM \(name: table)") ?? 0
        guard first >= 0, last < ClosedRange.exactInJSON.upperBound else {
            throw UnsoundTable(
                table, "rowid",
                "expected 0 to \(ClosedRange.exactInJSON.upperBound), found \(first < 0 ? first : last)")
        }
    }
}

extension Row {
    /// Any column's value, by the type that it is stored with.
    fileprivate func checkColumns(signed: Set<String>) throws {
        for name in columns {
            let column = try column(name, expected: "a column")
            guard let expected = column.fault(isSigned: signed.contains(name)) else { continue }
            throw ColumnMismatch(column: name, expected: expected, found: column.typeName)
        }
    }
}

extension Column {
    /// What was expected in its place; nil for a value that is sound.
    fileprivate func fault(isSigned: Bool) -> String? {
        switch type {
        case SQLITE_INTEGER:
            let range = isSigned ? ClosedRange.exactInJSON : 0...ClosedRange.exactInJSON.upperBound
            guard let number = Int(column: self), range.contains(number) else {
                return "a whole number from \(range.lowerBound) to \(range.upperBound)"
            }
        case SQLITE_FLOAT: if Double(column: self) == nil { return "a number within 10¹⁵" }
        case SQLITE_TEXT:
            guard let text = String(column: self) else { return "text in UTF-8" }
            if CombiningMarks.areTooMany(in: text.utf8) {
                return "text with at most \(CombiningMarks.most) combining marks in a row"
            }
        default: break
        }
        return nil
    }
}
