package import Essentials

/// A type that knows which column value it is stored as.
package protocol SQLBindable {
    var sqlValue: SQLValue { get }
}

extension String: SQLBindable {
    package var sqlValue: SQLValue { .text(self) }
}

extension Int: SQLBindable {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLBindable {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Bool: SQLBindable {
    /// 1 for true, 0 for false.
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLBindable {
    /// SQLite has no NaN: it stores NULL in its place.
    package var sqlValue: SQLValue { .real(self) }
}

extension Date: SQLBindable {
    /// Whole milliseconds since 1970-01-01 UTC; of a date outside of `Date.writable` the nearest one in it.
    package var sqlValue: SQLValue { asStored.unixMilliseconds.sqlValue }

    /// As a row gives it back. What is compared with a time of a row is rounded like it.
    package var asStored: Date { Date(unixMilliseconds: unixMilliseconds) }
}

extension [UInt8]: SQLBindable {
    package var sqlValue: SQLValue { .blob(self) }
}

/// One of the values that SQLite stores in a column.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}
