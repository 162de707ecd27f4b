import Essentials

extension String {
    /// JSON with line breaks, members in their order and numbers as they came; anything else as it is.
    var indentedJSON: String {
        guard (try? JSONValue(parsing: Array(utf8))) != nil else { return self }
        var lines = JSONLines()
        for byte in utf8 { lines.add(byte) }
        return String(decoding: lines.bytes, as: UTF8.self)
    }
}

/// Writes valid JSON anew, a member to a line.
private struct JSONLines {
    private(set) var bytes: [UInt8] = []
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// An object or array has begun, and nothing of it came yet.
    private var isFresh = false

    mutating func add(_ byte: UInt8) {
        if isInText { return addToText(byte) }
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if !isFresh { breakLine() }
            isFresh = false
            bytes.append(byte)
            return
        default: break
        }
        if isFresh { breakLine() }
        isFresh = false
        bytes.append(byte)
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, isFresh) = (depth + 1, true)
        case UInt8(ascii: ","): breakLine()
        case UInt8(ascii: ":"): bytes.append(UInt8(ascii: " "))
        default: break
        }
    }

    private mutating func addToText(_ byte: UInt8) {
        bytes.append(byte)
        if isEscaped { return isEscaped = false }
        isEscaped = byte == UInt8(ascii: "\\")
        isInText = byte != UInt8(ascii: "\"")
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes += [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth)
    }
}
