import Crypto

/// Identifiers as texts: `c0ffee00-…`, 36 characters.
enum UUIDText {
    /// In any case. Source: the library gofrs/uuid, without its shorter forms.
    static func isOne(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                dashes.contains(index) ? byte == UInt8(ascii: "-") : byte.isHexDigit
            }
    }

    /// Nil unless there are 16 bytes. An AAGUID may be of any version.
    static func text(of bytes: [UInt8]) -> String? {
        guard bytes.count == 16 else { return nil }
        var text = ""
        for digit in Hex.encode(bytes) {
            if dashes.contains(text.utf8.count) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private static let dashes = [8, 13, 18, 23]
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
