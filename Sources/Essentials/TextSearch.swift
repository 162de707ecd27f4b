/// Words to look for in texts.
///
/// Words and texts are compared as UTF-8, folded scalar by scalar (``TextFolding``), by one algorithm for all of them. Nothing is copied
/// for it: a journal has 16 MiB of texts, and is searched at each key that is pressed. Whatever words and text are, the time grows with the text
/// alone. Source: Knuth, Morris and Pratt, Fast Pattern Matching in Strings, 1977.
package struct TextSearch: Sendable {
    /// Bytes that words of a client may have.
    package static let longestWords = 256

    /// Words that are longer than ``longestWords``.
    package struct TooLong: Error {
        /// Bytes that they have.
        package let count: Int

        /// To stand behind “must be”.
        package static let expected = "a text of at most \(longestWords) bytes"
    }

    /// In UTF-8, folded where case is of no matter.
    private let words: [UInt8]
    private let isFolded: Bool
    /// For each beginning of ``words``, the length of the longest shorter one that it ends with: so much is still found when the next letter differs.
    private let rests: [Int]
    /// Words of ASCII alone are found in no other way in a text of ASCII alone.
    private let isASCII: Bool

    /// Finds words whatever their case.
    ///
    /// - Parameter words: what a client asked for.
    package init(_ words: String) throws(TooLong) {
        guard words.utf8.count <= Self.longestWords else { throw TooLong(count: words.utf8.count) }
        self.init(folded: TextFolding.folded(words), isFolded: true)
    }

    /// Finds words as they are written, with their case; of any length.
    package init(exactly words: String) { self.init(folded: Array(words.utf8), isFolded: false) }

    private init(folded words: [UInt8], isFolded: Bool) {
        (self.words, self.isFolded) = (words, isFolded)
        isASCII = words.withUnsafeBufferPointer(Self.isASCII)
        var rests = [0]
        for letter in words.dropFirst() {
            rests.append(Self.found(after: rests[rests.count - 1], letter, of: words, rests))
        }
        self.rests = rests
    }

    /// The words as they are looked for.
    package var text: String { String(decoding: words, as: UTF8.self) }

    /// Whether the text has the words in it. No words are in every text.
    package func isIn(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isIn($0, isASCII: Self.isASCII($0)) }
    }

    /// Whether a text has the words in it, in UTF-8.
    ///
    /// - Returns: nil where the text is more than ASCII.
    package func isIn(ascii text: ArraySlice<UInt8>) -> Bool? {
        text.withUnsafeBufferPointer { bytes in
            Self.isASCII(bytes) ? isIn(bytes, isASCII: true) : nil
        }
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { bytes.reduce(0, |) < 0x80 }

    /// - Parameter bytes: well-formed UTF-8.
    private func isIn(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> Bool {
        guard let first = words.first else { return true }
        if isASCII, !self.isASCII { return false }
        var found = 0
        /// - Returns: whether that was the last letter of the words.
        func hear(_ letter: UInt8) -> Bool {
            if found == 0, letter != first { return false }
            found = Self.found(after: found, letter, of: words, rests)
            return found == words.count
        }
        guard isFolded else { return bytes.contains(where: hear) }
        if isASCII { return bytes.contains { hear(TextFolding.lowercased($0)) } }
        return TextFolding.fold(bytes, until: hear)
    }

    /// How many letters of `words` are found, up to and with `letter`, when `count` were found before it; fewer than all of them.
    private static func found(after count: Int, _ letter: UInt8, of words: [UInt8], _ rests: [Int]) -> Int {
        // After the whole of it the search is over; but words that repeat are looked for in themselves first.
        var count = count
        while count > 0, words[count] != letter { count = rests[count - 1] }
        return words[count] == letter ? count + 1 : 0
    }
}

/// Texts without the difference of capital and small letters.
///
/// Each scalar stands for itself: one from U+0080 to U+24FF for the small letter of its capital, where both are one scalar (so “ς” for “σ” and “ẞ” for “ß”), one of ASCII
/// for its small letter, all others for what they are. A letter with an accent in one scalar and one whose accent is a scalar of its own stay
/// different. It is the simple case folding of the Unicode Standard (§3.13, `CaseFolding.txt`, statuses C and S) for the alphabets that are in use:
/// Latin, Greek, Cyrillic, Armenian and Georgian among them.
package enum TextFolding {
    /// The first scalar that ``table`` tells of, and the first behind them.
    private static let (first, end) = (UInt32(0x80), UInt32(0x2500))

    /// What each scalar stands for; made when the first text comes that is more than ASCII.
    private static let table: [UInt16] = (first..<end).map { value in
        UInt16(truncatingIfNeeded: Unicode.Scalar(value).map(folded)?.value ?? value)
    }

    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // The letter “i” without a dot is one of its own in Turkish; the Standard does not fold it.
        if scalar == "\u{131}" { return scalar }
        let capital = only(scalar.properties.uppercaseMapping) ?? scalar
        let small = only(capital.properties.lowercaseMapping) ?? capital
        return small.value <= 0xFFFF ? small : scalar
    }

    private static func only(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// The folded text in UTF-8.
    package static func folded(_ text: String) -> [UInt8] {
        var text = text
        var folded: [UInt8] = []
        _ = text.withUTF8 { bytes in
            fold(bytes) { byte in
                folded.append(byte)
                return false
            }
        }
        return folded
    }

    /// Gives the bytes of the folded text one by one, until it was enough.
    ///
    /// - Parameter bytes: well-formed UTF-8.
    /// - Returns: whether it was enough.
    static func fold(_ bytes: UnsafeBufferPointer<UInt8>, until isEnough: (UInt8) -> Bool) -> Bool {
        table.withUnsafeBufferPointer { table in
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                let length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                defer { index += length }
                if byte < 0x80 {
                    if isEnough(lowercased(byte)) { return true }
                    continue
                }
                let own = bytes[index..<min(index + length, bytes.count)]
                // Of two and of three bytes: what is not in the table, or no lead byte, stays as it is.
                let bits = own.dropFirst().reduce(UInt32(byte) & 0xFF >> UInt32(length + 1)) {
                    $0 << 6 | UInt32($1 & 0x3F)
                }
                if 2...3 ~= length, first..<end ~= bits {
                    if emit(UInt32(table[Int(bits - first)]), to: isEnough) { return true }
                } else if own.contains(where: isEnough) {
                    return true
                }
            }
            return false
        }
    }

    /// Writes a scalar below U+10000 in UTF-8. Source: RFC 3629 §3.
    private static func emit(_ scalar: UInt32, to isEnough: (UInt8) -> Bool) -> Bool {
        let last = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
        if scalar < 0x80 { return isEnough(UInt8(scalar)) }
        if scalar < 0x800 { return isEnough(UInt8(0xC0 | scalar >> 6)) || isEnough(last) }
        return isEnough(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            || isEnough(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)) || isEnough(last)
    }
}
