import Essentials

/// Header text beyond ASCII. Source: RFC 2047; folding as RFC 5322 §2.2.3.
enum EncodedWord {
    /// Bytes of text in one encoded word: `=?utf-8?B?…?=` may have 75 characters, 45 bytes make 60 of base64.
    private static let bytesPerWord = 45

    /// A subject: as it is when it is short printable ASCII, else as encoded words.
    static func unstructured(_ text: String) -> String {
        let text = clean(text)
        return isPrintableASCII(text) && text.utf8.count <= 900 && !text.contains("=?") ? text : words(text)
    }

    /// A display name: an atom sequence, a quoted string, or encoded words.
    static func phrase(_ text: String) -> String {
        let text = clean(text)
        guard isPrintableASCII(text), !text.contains("=?") else { return words(text) }
        let isAtoms = text.utf8.allSatisfy {
            isAlphanumeric($0) || " !#$%&'*+-/=?^_`{|}~".utf8.contains($0)
        }
        if isAtoms { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Control characters, line breaks among them, become spaces: nothing can start a header of its own.
    static func clean(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }

    private static func words(_ text: String) -> String {
        var words: [String] = []
        var chunk: [UInt8] = []
        // A character is never torn between two words. RFC 2047 §5.
        for character in text.unicodeScalars {
            let bytes = Array(String(character).utf8)
            if chunk.count + bytes.count > bytesPerWord {
                words.append(word(chunk))
                chunk = []
            }
            chunk += bytes
        }
        words.append(word(chunk))
        return words.joined(separator: "\r\n ")
    }

    private static func word(_ bytes: [UInt8]) -> String {
        "=?utf-8?B?" + Data(bytes).base64EncodedString() + "?="
    }

    private static func isPrintableASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
