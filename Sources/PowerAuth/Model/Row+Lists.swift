import Essentials
import SQLite

extension Row {
    /// A column that holds a JSON array of texts.
    func strings(_ column: String) throws -> [String] {
        try JSONValue(parsing: Array(text(column).utf8)).strings ?? []
    }

    /// A column that holds any JSON value.
    func json(_ column: String) throws -> JSONValue { try JSONValue(parsing: Array(text(column).utf8)) }
}
