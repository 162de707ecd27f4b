/// Words to look for in texts, without regard to case.
///
/// ASCII is looked for in the bytes of a text, without a copy of it in lower case: a journal has 16 MiB of texts, and is searched at each key
/// that is pressed. So “e” is also found where an accent of its own stands behind it. Whatever words and text are, the time grows with the text
/// alone. Source: Knuth, Morris and Pratt, Fast Pattern Matching in Strings, 1977.
package struct TextSearch: Sendable {
    /// In lower case.
    private let words: String
    /// ``words`` in UTF-8 where they are ASCII; nil where they are more.
    private let ascii: [UInt8]?
    /// For each beginning of ``ascii``, the length of the longest shorter one that it ends with: so much is still found when the next letter differs.
    private let rests: [Int]

    package init(_ words: String) {
        self.words = words.lowercased()
        let bytes = Array(self.words.utf8)
        ascii = bytes.withUnsafeBufferPointer(Self.isASCII) ? bytes : nil
        var rests = [0]
        for letter in bytes.dropFirst() {
            rests.append(Self.found(after: rests[rests.count - 1], letter, of: bytes, rests))
        }
        self.rests = rests
    }

    /// Whether the text has the words in it. No words are in every text.
    package func isIn(_ text: String) -> Bool {
        var text = text
        let found = text.withUTF8 { bytes -> Bool? in
            if let ascii { return isIn(bytes, ascii) }
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
            return ascii.map { isIn(bytes, $0) } ?? false
        }
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { bytes.reduce(0, |) < 0x80 }

    private func isIn(_ bytes: UnsafeBufferPointer<UInt8>, _ ascii: [UInt8]) -> Bool {
        guard let first = ascii.first else { return true }
        var found = 0
        for byte in bytes {
            let letter = Self.lowercased(byte)
            if found == 0, letter != first { continue }
            found = Self.found(after: found, letter, of: ascii, rests)
            if found == ascii.count { return true }
        }
        return false
    }

    /// How many letters of `words` are found, up to and with `letter`, when `count` were found before it; fewer than all of them.
    private static func found(after count: Int, _ letter: UInt8, of words: [UInt8], _ rests: [Int]) -> Int {
        var count = count
        while count > 0, words[count] != letter { count = rests[count - 1] }
        return words[count] == letter ? count + 1 : 0
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
