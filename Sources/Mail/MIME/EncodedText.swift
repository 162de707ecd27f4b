import Essentials

/// Reads encoded words in the fields of a header. Source: RFC 2047; languages RFC 2231 §5.
enum EncodedText {
    /// The text with its encoded words read; those in a charset or form that is not known stay as they are.
    static func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "?")) else { return text }
        var (decoded, open) = ("", nil as Word?)
        var (index, literal) = (0, 0)
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "="), let (word, end) = word(bytes[index...]) else {
                index += 1
                continue
            }
            let between = bytes[literal..<index]
            // Blanks between two encoded words are none. RFC 2047 §6.2.
            if let before = open, between.allSatisfy(\.isBlank) {
                // A character may be torn between words of one charset, against the rule (§5).
                if before.charset == word.charset {
                    open?.bytes += word.bytes
                } else {
                    decoded += before.text
                    open = word
                }
            } else {
                decoded += open?.text ?? ""
                decoded += String(decoding: between, as: UTF8.self)
                open = word
            }
            (index, literal) = (end, end)
        }
        return (decoded + (open?.text ?? "") + String(decoding: bytes[literal...], as: UTF8.self))
            .withFewMarks
    }

    private struct Word {
        let charset: String
        let reader: Charset
        var bytes: [UInt8]

        var text: String {
            var isDamaged = false
            return reader.text(bytes[...], &isDamaged)
        }
    }

    /// `=?charset?B?…?=` at the beginning of `bytes`, and where it ends.
    private static func word(_ bytes: ArraySlice<UInt8>) -> (Word, end: Int)? {
        let mark = UInt8(ascii: "?")
        guard bytes.dropFirst().first == mark else { return nil }
        let inside = bytes.dropFirst(2)
        guard let first = inside.firstIndex(of: mark), first + 2 < bytes.endIndex, bytes[first + 2] == mark
        else { return nil }
        let encoded = bytes[(first + 3)...].prefix { $0 != mark }
        guard encoded.endIndex + 1 < bytes.endIndex, bytes[encoded.endIndex + 1] == UInt8(ascii: "=") else {
            return nil
        }
        let name = String(decoding: inside[..<first].prefix { $0 != UInt8(ascii: "*") }, as: UTF8.self)
            .asciiLowercased
        guard let reader = Charset(name) else { return nil }
        let content: [UInt8]
        switch bytes[first + 1].lowercased {
        case UInt8(ascii: "b"): content = TransferEncoding.base64(encoded)
        // An underscore is a space. RFC 2047 §4.2.
        case UInt8(ascii: "q"):
            content = TransferEncoding.quotedPrintable(
                encoded.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }[...])
        default: return nil
        }
        return (Word(charset: name, reader: reader, bytes: content), encoded.endIndex + 2)
    }
}
