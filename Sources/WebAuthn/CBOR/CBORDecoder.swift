import Essentials

/// Reads CBOR in time and memory that grow with its length alone; see ``WebAuthnLimits``.
///
/// Lengths must be definite and numbers in their shortest form, as CTAP2 asks for. The order of the keys of a map is not looked at:
/// real clients do not keep it in attestation objects.
package struct CBORDecoder {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var items = 0

    private init(_ bytes: ArraySlice<UInt8>) throws(CBORError) {
        guard bytes.count <= WebAuthnLimits.cborBytes else { throw CBORError(reason: .size, offset: 0) }
        (self.bytes, index) = (bytes, bytes.startIndex)
    }

    /// The one item that the bytes are.
    package static func decode(_ bytes: [UInt8]) throws(CBORError) -> CBOR {
        let (value, count) = try first(in: bytes[...])
        guard count == bytes.count else {
            throw CBORError(reason: .trailing(bytes.count - count), offset: count)
        }
        return value
    }

    /// The item with which the bytes begin, and how many bytes it takes.
    package static func first(in bytes: ArraySlice<UInt8>) throws(CBORError) -> (value: CBOR, count: Int) {
        var decoder = try CBORDecoder(bytes)
        let value = try decoder.item(depth: 0)
        return (value, decoder.index - bytes.startIndex)
    }

    private mutating func item(depth: Int) throws(CBORError) -> CBOR {
        let start = index
        items += 1
        guard items <= WebAuthnLimits.cborItems else { throw fault(.items, start) }
        let first = try byte(start)
        let (major, short) = (first >> 5, first & 0x1F)
        guard major != 7 else { return try simple(short, start) }
        guard major != 6 else { throw fault(.tag, start) }
        let argument = try argument(short, major, start)
        switch major {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(Array(try string(argument, start)))
        case 3:
            let bytes = try string(argument, start)
            guard !CombiningMarks.areTooMany(in: bytes), let text = String(validating: bytes, as: UTF8.self)
            else {
                throw fault(.text, start)
            }
            return .text(text)
        case 4: return .array(try array(argument, depth + 1, start))
        default: return .map(try map(argument, depth + 1, start))
        }
    }

    /// RFC 8949 §3: the number that belongs to the first byte.
    private mutating func argument(_ short: UInt8, _ major: UInt8, _ start: Int) throws(CBORError) -> UInt64 {
        switch short {
        case ..<24: return UInt64(short)
        case 24...27:
            var value: UInt64 = 0
            for _ in 0..<(1 << (short - 24)) { value = value << 8 | UInt64(try byte(start)) }
            let least: UInt64 = short == 24 ? 24 : 1 << (8 << UInt64(short - 25))
            guard value >= least else { throw fault(.notShortest, start) }
            return value
        case 31 where 2...5 ~= major: throw fault(.indefiniteLength, start)
        default: throw fault(.reserved, start)
        }
    }

    private func simple(_ short: UInt8, _ start: Int) throws(CBORError) -> CBOR {
        switch short {
        case 20: return .boolean(false)
        case 21: return .boolean(true)
        case 22: return .null
        case 25...27: throw fault(.float, start)
        case 28...31: throw fault(.reserved, start)
        default: throw fault(.simpleValue, start)
        }
    }

    private mutating func string(_ length: UInt64, _ start: Int) throws(CBORError) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: length), count <= bytes.endIndex - index else {
            throw fault(.length, start)
        }
        defer { index += count }
        return bytes[index..<(index + count)]
    }

    private mutating func array(_ length: UInt64, _ depth: Int, _ start: Int) throws(CBORError) -> [CBOR] {
        let count = try enter(length, size: 1, depth, start)
        var elements: [CBOR] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(try item(depth: depth)) }
        return elements
    }

    private mutating func map(_ length: UInt64, _ depth: Int, _ start: Int) throws(CBORError) -> [CBOREntry] {
        let count = try enter(length, size: 2, depth, start)
        var entries: [CBOREntry] = []
        entries.reserveCapacity(count)
        // In their shortest form keys are the same exactly when their bytes are.
        var keys: Set<ArraySlice<UInt8>> = []
        for _ in 0..<count {
            let place = index
            let key = try item(depth: depth)
            switch key {
            case .unsigned, .negative, .text: break
            default: throw fault(.keyType, place)
            }
            guard keys.insert(bytes[place..<index]).inserted else { throw fault(.duplicateKey, place) }
            entries.append(CBOREntry(key, try item(depth: depth)))
        }
        return entries
    }

    /// How many there are, when so many can follow: each takes a byte or more.
    private func enter(_ length: UInt64, size: Int, _ depth: Int, _ start: Int) throws(CBORError) -> Int {
        guard depth <= WebAuthnLimits.cborDepth else { throw fault(.depth, start) }
        guard length <= UInt64(bytes.endIndex - index) / UInt64(size) else { throw fault(.length, start) }
        guard length <= UInt64(WebAuthnLimits.cborItems) else { throw fault(.items, start) }
        return Int(length)
    }

    private mutating func byte(_ start: Int) throws(CBORError) -> UInt8 {
        guard index < bytes.endIndex else { throw fault(.ends, start) }
        defer { index += 1 }
        return bytes[index]
    }

    private func fault(_ reason: CBORError.Reason, _ place: Int) -> CBORError {
        CBORError(reason: reason, offset: place - bytes.startIndex)
    }
}
