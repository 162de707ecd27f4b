extension CBOR {
    /// The canonical form of CTAP2: shortest numbers, keys in order. Source: FIDO CTAP 2.1 §8.
    package var encoded: [UInt8] {
        switch self {
        case .unsigned(let number): Self.head(0, number)
        case .negative(let number): Self.head(1, number)
        case .bytes(let bytes): Self.head(2, UInt64(bytes.count)) + bytes
        case .text(let text): Self.head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let elements): Self.head(4, UInt64(elements.count)) + elements.flatMap(\.encoded)
        case .map(let entries): Self.head(5, UInt64(entries.count)) + Self.sorted(entries)
        case .boolean(let flag): [flag ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    /// By major type, then the shorter key, then the bytes.
    private static func sorted(_ entries: [CBOREntry]) -> [UInt8] {
        let encoded = entries.map { (key: $0.key.encoded, value: $0.value.encoded) }
        let ordered = encoded.sorted { one, other in
            let (left, right) = (one.key[0] >> 5, other.key[0] >> 5)
            if left != right { return left < right }
            if one.key.count != other.key.count { return one.key.count < other.key.count }
            return one.key.lexicographicallyPrecedes(other.key)
        }
        return ordered.flatMap { $0.key + $0.value }
    }

    private static func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
        let bytes = withUnsafeBytes(of: argument.bigEndian) { Array($0) }
        return switch argument {
        case ..<24: [major << 5 | bytes[7]]
        case ..<0x100: [major << 5 | 24] + bytes[7...]
        case ..<0x1_0000: [major << 5 | 25] + bytes[6...]
        case ..<0x1_0000_0000: [major << 5 | 26] + bytes[4...]
        default: [major << 5 | 27] + bytes
        }
    }
}
