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
        column.owner.hold(count * RowMemory.textFactor)
        let bytes = UnsafeBufferPointer(start: start, count: count)
        self = String(decoding: bytes, as: UTF8.self)
        if column.isStrict, !utf8.elementsEqual(bytes) { return nil }
    }
}

extension Column {
    /// The bytes of JSON in a column of text, copied once: decoders of text need several copies. Nil for another type.
    var jsonBytes: [UInt8]? {
        guard type == SQLITE_TEXT, let start = sqlite3_column_text(statement, index) else { return nil }
        let bytes = [UInt8](
            UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
        owner.hold(RowMemory.bytes(ofJSON: bytes))
        return bytes
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

    /// Within ``ClosedRange/exactInJSON``, whatever the file says: what is done with a number of a row has room to both sides.
    package init?(column: Column) {
        guard let value = Int64(column: column) else { return nil }
        self = Int(clamping: value).clamped(to: ClosedRange.exactInJSON)
        if column.isStrict, self != value { return nil }
    }
}

extension Bool: SQLReadable {
    package static var expectedType: String { "INTEGER 0 or 1" }

    package init?(column: Column) {
        guard let number = Int64(column: column) else { return nil }
        self = number != 0
        if column.isStrict, number > 1 || number < 0 { return nil }
    }
}

extension Double: SQLReadable {
    package static var expectedType: String { "REAL" }

    package init?(column: Column) {
        guard column.type == SQLITE_FLOAT || column.type == SQLITE_INTEGER else { return nil }
        self = sqlite3_column_double(column.statement, column.index)
        if column.isStrict, !(-1e15...1e15).contains(self) { return nil }
    }
}

extension Date: SQLReadable {
    package static var expectedType: String { "INTEGER milliseconds from 1970 to 9999" }

    package init?(column: Column) {
        guard let milliseconds = Int(column: column) else { return nil }
        self.init(unixMilliseconds: milliseconds)
        if column.isStrict, unixMilliseconds != milliseconds { return nil }
    }
}

extension [UInt8]: SQLReadable {
    package static var expectedType: String { "BLOB" }

    package init?(column: Column) {
        guard column.type == SQLITE_BLOB else { return nil }
        let start = sqlite3_column_blob(column.statement, column.index)
        let count = Int(sqlite3_column_bytes(column.statement, column.index))
        column.owner.hold(count * RowMemory.textFactor)
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
