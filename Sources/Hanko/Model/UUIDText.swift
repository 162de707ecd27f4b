/// Identifiers as texts: `c0ffee00-…`, 36 characters.
enum UUIDText {
    /// Whether the text is a UUID in lower case, which is all that validated members take.
    static func isLowercase(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                dashes.contains(index) ? byte == UInt8(ascii: "-") : isLowercaseHex(byte)
            }
    }

    /// Whether the text is a version 4 UUID in lower case. Source: RFC 9562 §5.4.
    static func isVersion4(_ text: String) -> Bool {
        guard isLowercase(text) else { return false }
        let bytes = Array(text.utf8)
        return bytes[14] == UInt8(ascii: "4") && "89ab".utf8.contains(bytes[19])
    }

    /// The identifier in lower case, where members are parsed instead of validated: any case is taken.
    static func parsed(_ text: String) -> String? {
        let lower = text.lowercased()
        return isLowercase(lower) ? lower : nil
    }

    /// A version 4 UUID made of 16 bytes or more. Source: RFC 9562 §5.4.
    static func made(of bytes: [UInt8]) -> String {
        var bytes = bytes.prefix(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return text
    }

    private static let dashes = [8, 13, 18, 23]

    private static func isLowercaseHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
