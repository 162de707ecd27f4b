/// The members of an object, handed out by name.
struct FixtureObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: FixtureDecoder
    let members: [FixtureNode.Member]

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool {
        decoder.note(key.stringValue)
        return member(key) != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard case .null = try node(key).value else { return false }
        return true
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try FixtureDecoder.value(type, of: node(key), at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decode(NestedFixture.self, forKey: key).decoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decode(NestedFixture.self, forKey: key).decoder.unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try decode(NestedFixture.self, forKey: key).decoder
    }

    private func member(_ key: Key) -> FixtureNode? {
        members.first { $0.key == key.stringValue }?.node
    }

    private func node(_ key: Key) throws -> FixtureNode {
        decoder.note(key.stringValue)
        guard let node = member(key) else {
            throw FixtureError(
                position: decoder.node.position, field: FixtureError.field(codingPath.steps),
                path: codingPath.steps + [key.stringValue],
                reason: "the member “\(key.stringValue)” is missing")
        }
        return node
    }
}

/// Lends out the decoder of a nested value.
struct NestedFixture: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) { self.decoder = decoder }
}
