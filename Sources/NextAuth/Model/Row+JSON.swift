import Essentials
import SQLite

extension Row {
    /// A column that holds a JSON array of texts.
    func strings(_ column: String) throws -> [String] {
        guard let texts = try JSONValue(parsing: Array(text(column).utf8)).strings else {
            throw ColumnUnreadable(column: column)
        }
        return texts
    }

    /// A column that holds a JSON object.
    func object(_ column: String) throws -> [String: JSONValue] {
        guard let members = try JSONValue(parsing: Array(text(column).utf8)).object else {
            throw ColumnUnreadable(column: column)
        }
        return members
    }

    /// A column that holds JSON or NULL.
    func optionalJSON(_ column: String) throws -> JSONValue? {
        try optionalText(column).map { try JSONValue(parsing: Array($0.utf8)) }
    }

    /// A column that holds one of the words of an enum.
    func word<Word: RawRepresentable>(_ column: String) throws -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: try text(column)) else { throw ColumnUnreadable(column: column) }
        return word
    }

    /// A column that holds one of the words of an enum, or NULL.
    func optionalWord<Word: RawRepresentable>(_ column: String) throws -> Word?
    where Word.RawValue == String {
        guard let text = try optionalText(column) else { return nil }
        guard let word = Word(rawValue: text) else { throw ColumnUnreadable(column: column) }
        return word
    }
}

/// A stored value that this program does not know: the file was written by another one.
struct ColumnUnreadable: Error {
    let column: String
}
