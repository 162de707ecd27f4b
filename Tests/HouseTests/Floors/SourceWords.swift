/// The words of a Swift source that the compiler reads: identifiers, and each mark that says how they hang together. Comments and the text of
/// strings are left out; what a string interpolates is code.
struct SourceWords {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var words: [String] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        readCode(untilBracket: false)
    }

    private mutating func readCode(untilBracket: Bool) {
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            if skipComment() || skipString() { continue }
            if Self.isWord(byte) {
                readWord()
                continue
            }
            position += 1
            if untilBracket, byte == UInt8(ascii: "(") { depth += 1 }
            if untilBracket, byte == UInt8(ascii: ")") {
                if depth == 0 { return }
                depth -= 1
            }
            if byte > UInt8(ascii: " "), byte < 128 { words.append(String(UnicodeScalar(byte))) }
        }
    }

    private mutating func readWord() {
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        words.append(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private func stands(_ text: StaticString, at place: Int) -> Bool {
        let end = place + text.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[place + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    private mutating func skipComment() -> Bool {
        guard bytes[position] == UInt8(ascii: "/") else { return false }
        if stands("//", at: position) {
            while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            return true
        }
        guard stands("/*", at: position) else { return false }
        var depth = 0
        repeat {
            if stands("/*", at: position) {
                (depth, position) = (depth + 1, position + 2)
            } else if stands("*/", at: position) {
                (depth, position) = (depth - 1, position + 2)
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
        return true
    }

    private mutating func skipString() -> Bool {
        var start = position
        while start < bytes.count, bytes[start] == UInt8(ascii: "#") { start += 1 }
        guard stands("\"", at: start) else { return false }
        let hashes = start - position
        let isLong = stands("\"\"\"", at: start)
        position = start + (isLong ? 3 : 1)
        readString(hashes: hashes, isLong: isLong)
        return true
    }

    private mutating func readString(hashes: Int, isLong: Bool) {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\"), hasHashes(hashes, at: position + 1) {
                position += 1 + hashes
                let isCode = stands("(", at: position)
                position += 1
                if isCode { readCode(untilBracket: true) }
                continue
            }
            let length = isLong ? 3 : 1
            if isLong ? stands("\"\"\"", at: position) : byte == UInt8(ascii: "\""),
                hasHashes(hashes, at: position + length)
            {
                position += length + hashes
                return
            }
            // The end of a line ends a quotation mark that begins no string, as in a pattern.
            if !isLong, byte == UInt8(ascii: "\n") { return }
            position += 1
        }
    }

    private func hasHashes(_ count: Int, at place: Int) -> Bool {
        place + count <= bytes.count
            && bytes[place..<place + count].allSatisfy { $0 == UInt8(ascii: "#") }
    }
}
