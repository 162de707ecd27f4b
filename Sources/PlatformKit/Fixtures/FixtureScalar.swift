import Essentials

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
