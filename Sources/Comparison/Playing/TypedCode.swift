import Essentials

/// A code that an answer shows to people and people type as they like: `BNVQ-MJCR`, `bnvq mjcr`. Source: RFC 8628 §6.1.
enum TypedCode {
    private static let lengths = 6...24

    /// What is left of a code as it is shown: capital letters and digits, perhaps in groups; nil for any other text.
    static func printed(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }),
            text.utf8.contains(where: { 0x41...0x5A ~= $0 })
        else { return nil }
        return bare(text)
    }

    /// What is left of a code as somebody typed it; nil for what is none.
    static func bare(_ text: String) -> String? {
        guard lengths ~= text.utf8.count, text.utf8.allSatisfy({ isTyped($0) }) else { return nil }
        return text.asciiLowercased.filter { $0 != "-" && $0 != " " }
    }

    private static func isTyped(_ byte: UInt8) -> Bool {
        0x41...0x5A ~= byte || 0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-")
            || byte == 0x20
    }
}
