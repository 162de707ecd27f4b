/// The entries of a list, handed out in order.
struct FixtureList: UnkeyedDecodingContainer {
    let decoder: FixtureDecoder
    let elements: [(index: Int, node: FixtureNode)]
    private(set) var currentIndex = 0

    init(decoder: FixtureDecoder, elements: [FixtureNode]) {
        self.decoder = decoder
        self.elements = elements.present
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, case .null = elements[currentIndex].node.value else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard !isAtEnd else { throw decoder.mismatch("one more entry") }
        let path = codingPath + [AnyKey(String(elements[currentIndex].index))]
        let value = try FixtureDecoder.value(type, of: elements[currentIndex].node, at: path)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<
        Key
    > {
        try decode(NestedFixture.self).decoder.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try decode(NestedFixture.self).decoder.unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try decode(NestedFixture.self).decoder }
}
