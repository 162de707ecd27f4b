package import Essentials

/// One result row, read by column name.
package struct Row {
    let values: [String: SQLValue]

    /// - Throws: ``ColumnMismatch`` when the column is absent or holds another type.
    package func text(_ column: String) throws -> String {
        guard case .text(let value)? = values[column] else { throw ColumnMismatch(column: column) }
        return value
    }

    package func integer(_ column: String) throws -> Int {
        guard case .integer(let value)? = values[column] else { throw ColumnMismatch(column: column) }
        return Int(value)
    }

    package func date(_ column: String) throws -> Date {
        Date(timeIntervalSince1970: Double(try integer(column)) / 1000)
    }
}

package struct ColumnMismatch: Error {
    package let column: String
}

/// A value that can be built from a row.
package protocol RowDecodable {
    init(row: Row) throws
}
