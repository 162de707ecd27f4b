package import Essentials

/// One of the four values that SQLite stores in a column.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

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

extension Date: SQLBindable {
    /// Whole milliseconds since 1970-01-01 UTC.
    package var sqlValue: SQLValue { .integer(Int64((timeIntervalSince1970 * 1000).rounded())) }
}
