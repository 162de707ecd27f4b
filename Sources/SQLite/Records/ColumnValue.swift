package import Essentials

/// A type that is stored in a column of its own kind, not as JSON.
package protocol ColumnValue: SQLBindable, SQLReadable {}

extension String: ColumnValue {}
extension Int: ColumnValue {}
extension Int64: ColumnValue {}
extension Bool: ColumnValue {}
extension Double: ColumnValue {}
extension Date: ColumnValue {}
extension [UInt8]: ColumnValue {}

extension JSONValue: ColumnValue {
    package static var expectedType: String { "TEXT of JSON" }

    package var sqlValue: SQLValue { .text(text) }

    package init?(column: Column) {
        // What is no JSON is told as a mismatch, by the reader.
        guard let value = column.json else { return nil }
        self = value
    }
}

extension Column {
    /// Nil for another type than text, and for text that is no JSON.
    fileprivate var json: JSONValue? {
        if let value = jsonBytes.flatMap({ try? JSONValue(parsing: $0) }) { return value }
        // What is no UTF-8 is repaired, where that is no mistake.
        return String(column: self).flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    }
}

/// A list of an enumeration's words, which needs no JSON coder.
private protocol WordList {
    var words: [String] { get }
    init?(words: [String])
}

extension Array: WordList where Element: RawRepresentable, Element.RawValue == String {
    fileprivate var words: [String] { map { $0.rawValue } }

    /// Nil for a word that is none of them: the slow way tells which.
    fileprivate init?(words: [String]) {
        let values = words.compactMap(Element.init(rawValue:))
        guard values.count == words.count else { return nil }
        self = values
    }
}

/// What the values of a record's properties become in columns, and back.
enum ColumnCoding {
    static func encode<Value: Encodable>(_ value: Value) throws -> SQLValue {
        if let known = encodeKnown(value) { return known }
        if let value = value as? any ColumnValue { return value.sqlValue }
        if let value = value as? any RawRepresentable, let raw = value.rawValue as? any ColumnValue {
            return raw.sqlValue
        }
        if let words = value as? any WordList { return .text(JSONValue(words.words).text) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// What most columns hold, found by its type alone: asking for conformances costs ten times as much, and a JSON encoder a hundred.
    private static func encodeKnown<Value>(_ value: Value) -> SQLValue? {
        if Value.self == Date.self { return (value as? Date)?.sqlValue }
        if Value.self == [UInt8].self { return (value as? [UInt8])?.sqlValue }
        if Value.self == [String].self { return (value as? [String]).map { .text(JSONValue($0).text) } }
        if Value.self == JSONValue.self { return (value as? JSONValue)?.sqlValue }
        if Value.self == [String: String].self {
            return (value as? [String: String]).map { texts in
                .text(JSONValue.object(texts.mapValues(JSONValue.string)).text)
            }
        }
        if Value.self == [String: JSONValue].self {
            return (value as? [String: JSONValue]).map { .text(JSONValue.object($0).text) }
        }
        return nil
    }

    /// - Parameter name: of the column, for what is thrown.
    static func decode<Value: Decodable>(_: Value.Type, from column: Column, _ name: String) throws -> Value {
        if let known = decodeKnown(Value.self, column) { return known }
        if let kind = Value.self as? any ColumnValue.Type {
            if let value = read(kind, column) as? Value { return value }
            throw ColumnMismatch(column: name, expected: kind.expectedType, found: column.typeName)
        }
        if let kind = Value.self as? any RawRepresentable.Type, let found = word(kind, column) {
            if let value = found.value as? Value { return value }
            throw ColumnMismatch(column: name, expected: "a value of \(Value.self)", found: found.found)
        }
        if let kind = Value.self as? any WordList.Type,
            let list = column.json?.strings.flatMap(kind.init(words:)) as? Value
        {
            return list
        }
        guard let text = String(column: column) else {
            throw ColumnMismatch(column: name, expected: "JSON", found: column.typeName)
        }
        let bytes = Array(text.utf8)
        column.owner.hold(RowMemory.bytes(ofJSON: bytes))
        return try JSONDecoder().decode(Value.self, from: Data(bytes))
    }

    /// See ``encodeKnown(_:)``. Nil also for what does not fit: the slow way tells why.
    private static func decodeKnown<Value>(
        _: Value.Type, _ column: Column
    ) -> Value? {
        if Value.self == Date.self { return Date(column: column) as? Value }
        if Value.self == [UInt8].self { return [UInt8](column: column) as? Value }
        if Value.self == [String].self {
            return column.json?.strings as? Value
        }
        if Value.self == [String: JSONValue].self {
            return column.json?.object as? Value
        }
        if Value.self == [String: String].self {
            return column.json?.object?.texts as? Value
        }
        return nil
    }

    private static func read<Value: ColumnValue>(_: Value.Type, _ column: Column) -> Any? {
        Value(column: column)
    }

    /// - Returns: nil for a type whose raw values no column holds.
    private static func word<Value: RawRepresentable>(
        _: Value.Type, _ column: Column
    ) -> (value: Any?, found: String)? {
        guard let kind = Value.RawValue.self as? any ColumnValue.Type else { return nil }
        guard let raw = read(kind, column) as? Value.RawValue else { return (nil, column.typeName) }
        return (Value(rawValue: raw), "\(raw)")
    }
}

extension [String: JSONValue] {
    /// Nil where one of the values is no string.
    fileprivate var texts: [String: String]? {
        let texts = compactMapValues(\.string)
        return texts.count == count ? texts : nil
    }
}
