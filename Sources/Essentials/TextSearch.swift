/// Words to look for in texts, without regard to case.
///
/// ASCII is looked for in the bytes of a text, without a copy of it in lower case: a journal has 16 MiB of texts, and is searched at each key
/// that is pressed. So “e” is also found where an accent of its own stands behind it.
package struct TextSearch: Sendable {
    /// In lower case.
    private let words: String
    /// ``words`` in UTF-8 where they are ASCII; nil where they are more.
    private let ascii: [UInt8]?

    package init(_ words: String) {
        self.words = words.lowercased()
        let bytes = Array(self.words.utf8)
        ascii = bytes.withUnsafeBufferPointer(Self.isASCII) ? bytes : nil
    }

    /// Whether the text has the words in it. No words are in every text.
    package func isIn(_ text: String) -> Bool {
        var text = text
        let found = text.withUTF8 { bytes -> Bool? in
            if let ascii { return Self.isIn(bytes, ascii) }
            return Self.isASCII(bytes) ? false : nil
        }
        return found ?? text.lowercased().contains(words)
    }

    /// Whether a text has the words in it, in UTF-8.
    ///
    /// - Returns: nil where the text is more than ASCII, or none at all.
    package func isIn(ascii text: ArraySlice<UInt8>) -> Bool? {
        text.withUnsafeBufferPointer { bytes in
            guard Self.isASCII(bytes) else { return nil }
            return ascii.map { Self.isIn(bytes, $0) } ?? false
        }
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { bytes.reduce(0, |) < 0x80 }

    private static func isIn(_ bytes: UnsafeBufferPointer<UInt8>, _ words: [UInt8]) -> Bool {
        guard let first = words.first else { return true }
        guard bytes.count >= words.count else { return false }
        for start in 0...(bytes.count - words.count) where lowercased(bytes[start]) == first {
            if words.indices.allSatisfy({ lowercased(bytes[start + $0]) == words[$0] }) { return true }
        }
        return false
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
