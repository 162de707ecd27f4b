/// Takes a record apart into columns, in the order of its properties.
final class RowEncoder: Encoder {
    private(set) var names: [String] = []
    private(set) var values: [SQLValue] = []
    private var hasFault = false

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ record: some Record) throws {
        names.reserveCapacity(16)
        values.reserveCapacity(16)
        try record.encode(to: self)
        if hasFault { throw NoRecord.here }
        for column in record.derivedColumns { add(column.value, column.name) }
    }

    private func add(_ value: SQLValue, _ name: String) {
        names.append(name)
        values.append(value)
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Columns(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Nowhere(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { Nowhere(encoder: self) }

    private struct Columns<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: RowEncoder

        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { encoder.add(.null, key.stringValue) }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            encoder.add(try ColumnCoding.encode(value), key.stringValue)
        }

        // A column has a place also where its property is nil.
        func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
            encoder.add(try value.map { try ColumnCoding.encode($0) } ?? .null, key.stringValue)
        }

        func encode(_ value: String, forKey key: Key) { encoder.add(.text(value), key.stringValue) }
        func encode(_ value: Int, forKey key: Key) { encoder.add(value.sqlValue, key.stringValue) }
        func encode(_ value: Bool, forKey key: Key) { encoder.add(value.sqlValue, key.stringValue) }

        func encodeIfPresent(_ value: String?, forKey key: Key) {
            encoder.add(value?.sqlValue ?? .null, key.stringValue)
        }

        func encodeIfPresent(_ value: Int?, forKey key: Key) {
            encoder.add(value?.sqlValue ?? .null, key.stringValue)
        }

        func encodeIfPresent(_ value: Bool?, forKey key: Key) {
            encoder.add(value?.sqlValue ?? .null, key.stringValue)
        }

        func encodeIfPresent(_ value: Double?, forKey key: Key) {
            encoder.add(value?.sqlValue ?? .null, key.stringValue)
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
