extension JSONValue {
    /// The value as JSON text in UTF-8, without white space.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        write(to: &bytes)
        return bytes
    }

    /// The value as JSON text, without white space.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends the value as JSON text in UTF-8, without white space.
    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .boolean(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        // JSON has no word for what is not finite.
        case .number(let number): bytes += (number.isFinite ? "\(number)" : "null").utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements): Self.write(elements, to: &bytes)
        case .object(let members): Self.write(members, to: &bytes)
        }
    }

    private static func write(_ elements: [JSONValue], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            element.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func write(_ members: [String: JSONValue], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    // RFC 8259 §7: quotation mark, backslash and control characters are escaped, and nothing else has to be.
    static func write(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            if isPlain(text) { bytes.append(contentsOf: text) } else { escape(text, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether it stands in JSON as it is. Without an early end the compiler looks at many bytes at once.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in text {
            found |= byte < 0x20 ? 1 : 0
            found |= byte == UInt8(ascii: "\"") ? 1 : 0
            found |= byte == UInt8(ascii: "\\") ? 1 : 0
        }
        return found == 0
    }

    private static func escape(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case ..<0x20: bytes += "\\u00".utf8 + [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
    }

    private static let hex = Array("0123456789abcdef".utf8)
}
