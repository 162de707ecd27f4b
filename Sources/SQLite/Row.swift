package import Essentials

/// The row that a query stands on, read by column name. Values are copied out; the row itself ends with the closure or
/// initializer that got it.
package struct Row {
    let statement: Statement

    /// - Throws: ``ColumnMismatch`` when the column is absent or holds another type; so do all that follow.
    package func text(_ column: String) throws -> String {
        guard case .text(let value) = try value(column) else { throw mismatch(column, "text") }
        return value
    }

    package func integer(_ column: String) throws -> Int {
        guard case .integer(let value) = try value(column) else { throw mismatch(column, "an integer") }
        return Int(value)
    }

    package func real(_ column: String) throws -> Double {
        switch try value(column) {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        default: throw mismatch(column, "a number")
        }
    }

    package func blob(_ column: String) throws -> [UInt8] {
        guard case .blob(let value) = try value(column) else { throw mismatch(column, "a blob") }
        return value
    }

    /// Stored as 0 or 1.
    package func boolean(_ column: String) throws -> Bool { try integer(column) != 0 }

    /// Stored as whole milliseconds since 1970-01-01 UTC.
    package func date(_ column: String) throws -> Date {
        Date(timeIntervalSince1970: Double(try integer(column)) / 1000)
    }

    package func optionalText(_ column: String) throws -> String? { try isNull(column) ? nil : text(column) }
    package func optionalInteger(_ column: String) throws -> Int? {
        try isNull(column) ? nil : integer(column)
    }
    package func optionalReal(_ column: String) throws -> Double? { try isNull(column) ? nil : real(column) }
    package func optionalBlob(_ column: String) throws -> [UInt8]? { try isNull(column) ? nil : blob(column) }
    package func optionalDate(_ column: String) throws -> Date? { try isNull(column) ? nil : date(column) }

    private func isNull(_ column: String) throws -> Bool { try value(column) == .null }

    private func value(_ column: String) throws -> SQLValue {
        guard let index = statement.index(of: column) else {
            throw ColumnMismatch(column: column, expected: "a column of that name", found: "none")
        }
        return statement.value(at: index)
    }

    private func mismatch(_ column: String, _ expected: String) -> ColumnMismatch {
        let found = statement.index(of: column).map { statement.value(at: $0).kind } ?? "nothing"
        return ColumnMismatch(column: column, expected: expected, found: found)
    }
}

/// A column is not there, or holds another type than the reader expects: table and code have drifted apart.
package struct ColumnMismatch: Error, Equatable {
    package let column: String
    package let expected: String
    package let found: String
}

/// A value that can be built from a row.
package protocol RowDecodable {
    init(row: Row) throws
}
