/// Combining marks in a row. A text that is compared, hashed or sorted has them put in order (UAX #15), which takes time that grows with the
/// square of their number: half a million of them occupy a thread for many minutes. No language writes more than a few on one letter, and
/// text that is streamed has 30 at most (UAX #15 §12, Stream-Safe Text Format).
package enum CombiningMarks {
    package static let most = 100
    package static let sentence = "it has more than \(most) combining marks in a row, which no text has"

    /// Whether more of them stand in a row, as they are, as escapes of JSON (`\u0301`) or percent-encoded (`%CC%81`).
    package static func areTooMany(in bytes: some Sequence<UInt8>) -> Bool {
        bytes.withContiguousStorageIfAvailable { scan($0) } ?? scan(Array(bytes))
    }

    /// The same for bytes that lie in a row, as most do.
    package static func areTooMany(in bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(scan) }

    package static func areTooMany(in bytes: UnsafeBufferPointer<UInt8>) -> Bool { scan(bytes) }

    private static func scan(_ bytes: some Collection<UInt8>) -> Bool {
        Array(bytes).withUnsafeBufferPointer { scan($0) }
    }

    private static func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // A mark has two bytes at least.
        guard bytes.count > 2 * most else { return false }
        var reader = MarkReader(bytes: bytes)
        var row = 0
        while let scalar = reader.next() {
            row = isMark(scalar) ? row + 1 : 0
            if row > most { return true }
        }
        return false
    }

    static func isMark(_ scalar: UInt32) -> Bool {
        guard scalar >= 0x300, let mark = Unicode.Scalar(scalar) else { return false }
        if mark.properties.canonicalCombiningClass != .notReordered { return true }
        // Marks by what they decompose to.
        return scalar == 0xF73 || scalar == 0xF75 || scalar == 0xF81
    }
}

extension String {
    /// The text with U+FFFD in the place of each combining mark that is one too many in its row; see ``CombiningMarks``.
    package var withFewMarks: String {
        guard CombiningMarks.areTooMany(in: utf8) else { return self }
        var (scalars, row) = (UnicodeScalarView(), 0)
        for scalar in unicodeScalars {
            row = CombiningMarks.isMark(scalar.value) ? row + 1 : 0
            scalars.append(row > CombiningMarks.most ? "\u{FFFD}" : scalar)
        }
        return String(scalars)
    }
}

/// Reads scalars of UTF-8, through percent-encoding and the escapes of JSON; what is none of these counts as something that is no mark.
private struct MarkReader {
    let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Nil at the end.
    mutating func next() -> UInt32? {
        guard let first = byte() else { return nil }
        if first == UInt8(ascii: "\\") { return escape() }
        // Two bytes from U+0300 on, three, four; marks need more than one.
        let more: Int
        switch first {
        case 0xCC...0xDF: more = 1
        case 0xE0...0xEF: more = 2
        case 0xF0...0xF7: more = 3
        default: return 0
        }
        var scalar = UInt32(first) & (more == 1 ? 0x1F : more == 2 ? 0xF : 7)
        for _ in 0..<more {
            let before = index
            guard let next = byte(), 0x80...0xBF ~= next else {
                index = before
                return 0
            }
            scalar = scalar << 6 | UInt32(next & 0x3F)
        }
        return scalar
    }

    /// One byte as it is meant.
    private mutating func byte() -> UInt8? {
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = bytes[index + 1].hexDigit, let low = bytes[index + 2].hexDigit
        else { return bytes[index] }
        index += 2
        return high << 4 | low
    }

    /// Behind a backslash. Source: RFC 8259 §7.
    private mutating func escape() -> UInt32 {
        guard index + 4 < bytes.count, bytes[index] == UInt8(ascii: "u") else { return 0 }
        var scalar: UInt32 = 0
        for offset in 1...4 {
            guard let digit = bytes[index + offset].hexDigit else { return 0 }
            scalar = scalar << 4 | UInt32(digit)
        }
        index += 5
        return scalar
    }
}
