import Essentials

extension FixtureDecoder: Decoder {
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = node.value else { throw mismatch("an object") }
        return KeyedDecodingContainer(FixtureObject(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = node.value else { throw mismatch("a list") }
        return FixtureList(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        FixtureScalar(node: node, codingPath: codingPath)
    }
}

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
        try FixtureDecoder.value(type, of: node(key), at: codingPath + [key], passing: decoder.unknown)
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
        guard let node = member(key) else { throw missing(key.stringValue) }
        return node
    }

    /// A member beside it that has nearly its name is the same mistake.
    private func missing(_ name: String) -> FixtureError {
        let slip = members.first {
            !$0.key.hasPrefix("$") && !decoder.hasAsked($0.key)
                && Suggestion.nearest(to: $0.key, among: [name]) != nil
        }
        guard let slip else {
            return FixtureError(
                position: decoder.node.position, field: FixtureError.field(codingPath.steps),
                path: codingPath.steps + [name], reason: "the member “\(name)” is missing")
        }
        let path = codingPath.steps + [slip.key]
        return FixtureError(
            position: slip.keyPosition, field: FixtureError.field(path), path: path,
            meant: .needed(name: name),
            reason: "unknown member; did you mean “\(name)”, which is missing?")
    }
}

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
        let value = try FixtureDecoder.value(
            type, of: elements[currentIndex].node, at: path, passing: decoder.unknown)
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

/// One text, number or truth value.
struct FixtureScalar: SingleValueDecodingContainer {
    let node: FixtureNode
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool {
        if case .null = node.value { true } else { false }
    }

    func decode(_: Bool.Type) throws -> Bool {
        guard case .boolean(let flag) = node.value else { throw mismatch("true or false") }
        return flag
    }

    func decode(_: String.Type) throws -> String {
        guard case .string(let text) = node.value else { throw mismatch("a text in quotes") }
        return text
    }

    func decode(_: Double.Type) throws -> Double {
        guard case .number(let text) = node.value, let number = Double(text), number.isFinite else {
            throw mismatch("a number")
        }
        return number
    }

    func decode(_: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_: Int.Type) throws -> Int {
        let range = ClosedRange.exactInJSON
        guard let number = try? whole(Int.self), range.contains(number) else {
            throw mismatch("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
    func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try FixtureDecoder.value(type, of: node, at: codingPath)
    }

    private func whole<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
        guard case .number(let text) = node.value, let number = Number(text) else {
            throw mismatch("a whole number from \(Number.min) to \(Number.max)")
        }
        return number
    }

    private func mismatch(_ expected: String) -> FixtureError {
        FixtureDecoder.mismatch(expected, node, codingPath)
    }
}

/// Lends out the decoder of a nested value.
struct NestedFixture: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) { self.decoder = decoder }
}
