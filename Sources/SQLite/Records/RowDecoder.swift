/// Reads a record from the row that a statement stands on: keys are names of columns.
struct RowDecoder: Decoder {
    let row: Row

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Columns(row: row))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoRecord.here }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoRecord.here }

    private struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let row: Row

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { row.columns.compactMap(Key.init(stringValue:)) }

        func contains(_ key: Key) -> Bool { row.has(key.stringValue) }

        func decodeNil(forKey key: Key) throws -> Bool { try row.isNull(key.stringValue) }

        func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value {
            try row.decode(key.stringValue)
        }

        // Optional properties: a column is always there, and NULL is nil.
        func decodeIfPresent<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value? {
            if try row.isNull(key.stringValue) { return nil }
            let value: Value = try row.decode(key.stringValue)
            return value
        }

        func decode(_: String.Type, forKey key: Key) throws -> String { try row.text(key.stringValue) }
        func decode(_: Int.Type, forKey key: Key) throws -> Int { try row.integer(key.stringValue) }
        func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try row.boolean(key.stringValue) }
        func decode(_: Double.Type, forKey key: Key) throws -> Double { try row.real(key.stringValue) }

        func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
            try row.optionalText(key.stringValue)
        }

        func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? {
            try row.optionalInteger(key.stringValue)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy _: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw NoRecord.here }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw NoRecord.here
        }

        func superDecoder() throws -> any Decoder { throw NoRecord.here }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw NoRecord.here }
    }
}

/// A type that codes itself by hand asked for what a row cannot give: it has properties in columns, and nothing else.
enum NoRecord: Error, CustomStringConvertible {
    case here

    var description: String { "the type is not a record: it is not coded as properties with keys" }
}
