package import Essentials

/// One of the values that SQLite stores in a column.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// For messages: the type, never the value.
    var kind: String {
        switch self {
        case .null: "NULL"
        case .integer: "an integer"
        case .real: "a real number"
        case .text: "text"
        case .blob: "a blob"
        }
    }
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

extension Int64: SQLBindable {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Bool: SQLBindable {
    /// 0 or 1.
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLBindable {
    package var sqlValue: SQLValue { .real(self) }
}

extension Array: SQLBindable where Element == UInt8 {
    package var sqlValue: SQLValue { .blob(self) }
}

extension Date: SQLBindable {
    /// Whole milliseconds since 1970-01-01 UTC.
    package var sqlValue: SQLValue { .integer(Int64((timeIntervalSince1970 * 1000).rounded())) }
}
