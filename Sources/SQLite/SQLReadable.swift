import CSQLite
package import Essentials

/// A type that can be read from a column.
package protocol SQLReadable {
    /// What the column has to hold, as ``ColumnMismatch`` says it.
    static var expectedType: String { get }

    /// The value of the column in the current row, or `nil` when the column holds another type.
    init?(column: Column)
}

extension String: SQLReadable {
    package static var expectedType: String { "TEXT" }

    package init?(column: Column) {
        guard column.type == SQLITE_TEXT, let start = sqlite3_column_text(column.statement, column.index)
        else { return nil }
        // By count, not by terminator: text may hold NUL.
        let count = Int(sqlite3_column_bytes(column.statement, column.index))
        self = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

extension Int64: SQLReadable {
    package static var expectedType: String { "INTEGER" }

    package init?(column: Column) {
        guard column.type == SQLITE_INTEGER else { return nil }
        self = sqlite3_column_int64(column.statement, column.index)
    }
}

extension Int: SQLReadable {
    package static var expectedType: String { "INTEGER" }

    package init?(column: Column) {
        guard let value = Int64(column: column) else { return nil }
        self.init(exactly: value)
    }
}

extension Bool: SQLReadable {
    package static var expectedType: String { "INTEGER 0 or 1" }

    package init?(column: Column) {
        switch Int64(column: column) {
        case 0: self = false
        case 1: self = true
        default: return nil
        }
    }
}

extension Double: SQLReadable {
    package static var expectedType: String { "REAL" }

    package init?(column: Column) {
        guard column.type == SQLITE_FLOAT || column.type == SQLITE_INTEGER else { return nil }
        self = sqlite3_column_double(column.statement, column.index)
    }
}

extension Date: SQLReadable {
    package static var expectedType: String { "INTEGER milliseconds" }

    package init?(column: Column) {
        guard let milliseconds = Int64(column: column) else { return nil }
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension [UInt8]: SQLReadable {
    package static var expectedType: String { "BLOB" }

    package init?(column: Column) {
        guard column.type == SQLITE_BLOB else { return nil }
        let start = sqlite3_column_blob(column.statement, column.index)
        let count = Int(sqlite3_column_bytes(column.statement, column.index))
        self.init(UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// A row did not hold what its reader asked for.
package struct ColumnMismatch: Error, Equatable, CustomStringConvertible {
    package let column: String
    package let expected: String
    package let found: String

    package var description: String { "column \(column): expected \(expected), found \(found)" }
}
