import Essentials
import Testing

// Marks of two classes by turns: 230 and 220 (UnicodeData.txt).
private let pairs = "\u{301}\u{323}"

@Suite struct CombiningMarksTests {
    @Test(
        "A hundred in a row are text, one more is not, however they are written",
        arguments: [
            pairs, #"\u0301\u0323"#, "%CC%81%CC%A3", "%cc%81\u{323}", #"\u0301%CC%A3"#, #"%5Cu0301\u0323"#,
            // By what it decomposes to: two marks of the classes 129 and 130.
            "\u{F73}\u{F73}",
        ])
    func row(_ pair: String) {
        let row = String(repeating: pair, count: 50)
        #expect(!CombiningMarks.areTooMany(in: ("a" + row + "b" + row).utf8))
        #expect(CombiningMarks.areTooMany(in: ("a" + row + pair).utf8))
    }

    @Test(
        "Other text is none, however long",
        arguments: ["a", "é", "日", "\u{1F469}\u{200D}", "e\u{301}", "%CC", "\\u030", "\u{300}%"])
    func others(_ piece: String) {
        #expect(!CombiningMarks.areTooMany(in: String(repeating: piece, count: 10_000).utf8))
    }

    @Test("Where there is nobody to be refused, what is too much is shown as U+FFFD")
    func replaced() {
        let text = "a" + String(repeating: pairs, count: 51) + "b"
        #expect(
            text.withFewMarks.unicodeScalars.elementsEqual(
                ("a" + String(repeating: pairs, count: 50) + "\u{FFFD}\u{FFFD}b").unicodeScalars))
        #expect("é \u{301}".withFewMarks == "é \u{301}")
    }

    @Test("JSON with more of them, or in UTF-16, is refused", arguments: [String.Encoding.utf8, .utf16])
    func json(_ encoding: String.Encoding) throws {
        let text =
            encoding == .utf8 ? "{\"a\": \"" + String(repeating: pairs, count: 51) + "\"}" : "{\"a\": 1}"
        let bytes = [UInt8](try #require(text.data(using: encoding)))
        #expect(throws: DecodingError.self) { try JSONValue(parsing: bytes) }
        #expect(throws: DecodingError.self) { try JSONText.check(bytes) }
    }
}
