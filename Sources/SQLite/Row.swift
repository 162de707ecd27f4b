import CSQLite
package import Essentials

/// One result row, read by column name while its statement stands on it: use it before the next row is asked for.
///
/// Every reader throws ``ColumnMismatch`` when the column is absent or holds another type; the optional ones
/// answer `nil` for NULL.
package struct Row {
    let statement: Statement
    /// Whether what is read has to be what stands there: readers repair a time or a number that is out of range and text that is no
    /// UTF-8, and in a row from outside that is a mistake.
    var isStrict = false

    package func text(_ column: String) throws -> String { try value(column) }
    package func optionalText(_ column: String) throws -> String? { try optionalValue(column) }

    package func integer(_ column: String) throws -> Int { try value(column) }
    package func optionalInteger(_ column: String) throws -> Int? { try optionalValue(column) }

    /// Stored as 0 or 1.
    package func boolean(_ column: String) throws -> Bool { try value(column) }

    package func real(_ column: String) throws -> Double { try value(column) }

    package func blob(_ column: String) throws -> [UInt8] { try value(column) }
    package func optionalBlob(_ column: String) throws -> [UInt8]? { try optionalValue(column) }

    /// Stored as milliseconds since 1970-01-01 UTC.
    package func date(_ column: String) throws -> Date { try value(column) }
    package func optionalDate(_ column: String) throws -> Date? { try optionalValue(column) }

    /// The value of a record's property; see ``Record``.
    func decode<Value: Decodable>(_ name: String) throws -> Value {
        let column = try column(name, expected: "a column")
        do {
            return try ColumnCoding.decode(Value.self, from: column, name)
        } catch let error as DecodingError where isStrict {
            throw ColumnMismatch(column: name, expected: "JSON of another form", found: error.place)
        }
    }

    func isNull(_ name: String) throws -> Bool { try column(name, expected: "NULL").type == SQLITE_NULL }

    func has(_ name: String) -> Bool { statement.index(of: name) != nil }

    var columns: [String] { statement.columnNames }

    private func value<Value: SQLReadable>(_ name: String) throws -> Value {
        let column = try column(name, expected: Value.expectedType)
        if let value = Value(column: column) { return value }
        throw ColumnMismatch(column: name, expected: Value.expectedType, found: column.typeName)
    }

    private func optionalValue<Value: SQLReadable>(_ name: String) throws -> Value? {
        let column = try column(name, expected: Value.expectedType)
        if column.type == SQLITE_NULL { return nil }
        if let value = Value(column: column) { return value }
        throw ColumnMismatch(column: name, expected: Value.expectedType + " or NULL", found: column.typeName)
    }

    func column(_ name: String, expected: String) throws -> Column {
        if let index = statement.index(of: name) {
            return Column(owner: statement, index: index, isStrict: isStrict)
        }
        throw ColumnMismatch(column: name, expected: expected, found: "no such column")
    }
}

/// A value that can be built from a row.
package protocol RowDecodable {
    init(row: Row) throws
}

extension DecodingError {
    /// Where it went wrong in the JSON, and how; for the end of a sentence.
    fileprivate var place: String {
        switch self {
        case .keyNotFound(let key, _): return "no member “\(key.stringValue)”"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "a text that is no such JSON" : "another value in “\(path)”"
        @unknown default: return "a text that is no such JSON"
        }
    }
}
