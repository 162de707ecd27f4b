/// Takes a record apart into columns, in the order of its properties.
final class RowEncoder: Encoder {
    private(set) var names: [String] = []
    private(set) var values: [SQLValue] = []
    private var hasFault = false
    /// Nil for all columns.
    private let wanted: [String]?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// - Parameter wanted: the columns to take; nil for all.
    init(_ record: some Record, only wanted: [String]? = nil) throws {
        self.wanted = wanted
        names.reserveCapacity(16)
        values.reserveCapacity(16)
        try record.encode(to: self)
        if hasFault { throw NoRecord.here }
        if let wanted, names.count == wanted.count { return }
        for column in record.derivedColumns { add(column.name, column.value) }
    }

    private func add(_ name: String, _ value: @autoclosure () throws -> SQLValue) rethrows {
        if let wanted, !wanted.contains(name) { return }
        names.append(name)
        values.append(try value())
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Columns(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Nowhere(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { Nowhere(encoder: self) }

    private struct Columns<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: RowEncoder

        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { encoder.add(key.stringValue, .null) }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try encoder.add(key.stringValue, ColumnCoding.encode(value))
        }

        // A column has a place also where its property is nil.
        func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
            try encoder.add(key.stringValue, value.map { try ColumnCoding.encode($0) } ?? .null)
        }

        func encode(_ value: String, forKey key: Key) { encoder.add(key.stringValue, .text(value)) }
        func encode(_ value: Int, forKey key: Key) { encoder.add(key.stringValue, value.sqlValue) }
        func encode(_ value: Bool, forKey key: Key) { encoder.add(key.stringValue, value.sqlValue) }

        func encodeIfPresent(_ value: String?, forKey key: Key) {
            encoder.add(key.stringValue, value?.sqlValue ?? .null)
        }

        func encodeIfPresent(_ value: Int?, forKey key: Key) {
            encoder.add(key.stringValue, value?.sqlValue ?? .null)
        }

        func encodeIfPresent(_ value: Bool?, forKey key: Key) {
            encoder.add(key.stringValue, value?.sqlValue ?? .null)
        }

        func encodeIfPresent(_ value: Double?, forKey key: Key) {
            encoder.add(key.stringValue, value?.sqlValue ?? .null)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy _: Nested.Type, forKey _: Key
        ) -> KeyedEncodingContainer<Nested> {
            encoder.hasFault = true
            return KeyedEncodingContainer(RowEncoder.Columns<Nested>(encoder: encoder))
        }

        func nestedUnkeyedContainer(forKey _: Key) -> any UnkeyedEncodingContainer {
            Nowhere(encoder: encoder)
        }
        func superEncoder() -> any Encoder { encoder.astray() }
        func superEncoder(forKey _: Key) -> any Encoder { encoder.astray() }
    }

    private func astray() -> RowEncoder {
        hasFault = true
        return self
    }

    /// Where a type writes that is no record; that it did is thrown afterwards.
    private struct Nowhere: UnkeyedEncodingContainer, SingleValueEncodingContainer {
        let encoder: RowEncoder

        var codingPath: [any CodingKey] { [] }
        var count: Int { 0 }

        init(encoder: RowEncoder) { self.encoder = encoder.astray() }

        func encodeNil() {}
        func encode(_: some Encodable) {}

        func nestedContainer<Nested: CodingKey>(keyedBy _: Nested.Type) -> KeyedEncodingContainer<Nested> {
            KeyedEncodingContainer(RowEncoder.Columns<Nested>(encoder: encoder))
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
        func superEncoder() -> any Encoder { encoder }
    }
}
