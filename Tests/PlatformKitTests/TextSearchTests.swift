import Essentials
import Testing

@Suite struct TextSearchTests {
    @Test(arguments: [
        ("ada", "ADA@example.com"), ("ADA", "to ada"), ("a", "a"), ("", ""), ("", "anything"),
        ("aab", "aaab"), ("[", "a[0]"), ("@", "`@`"), ("straße", "STRASSE Straße"), ("ÄRGER", "großer ärger"),
        ("7 µs", "took 7 µs"), ("ada", "Grüße an Ada"), ("caf", "cafe\u{301}"), ("É", "café"),
        ("GROẞ", "groß"), ("ΟΔΟΣ", "οδος"), ("οδός", "ΟΔΌΣ"), ("ПРИВЕТ, МИР", "привет, мир"),
        ("ԵՐԵՎԱՆ", "երեվան"),
        ("İ", "xİx"), ("日本", "は日本語"), ("🦊", "a 🦊 b"), ("ệ", "VIỆT"), ("ỸY", "ỹy"), ("ⅷ", "Ⅷ"),
    ])
    func `words are found whatever their case`(_ words: String, _ text: String) throws {
        #expect(try TextSearch(words).isIn(text))
    }

    // Among them a text that is one letter short, and characters that differ as cases do, or by bytes that they share with others.
    @Test(arguments: [
        ("ada", ""), ("ada", "ad"), ("adaa", "ada"), ("ada", "a d a"), ("é", "cafe"), ("é", "cafè"),
        ("[", "{"), ("@", "`"), ("é", "cafe\u{301}"), ("я", "ю"), ("ı", "i I"), ("🦊", "🦋"), ("日", "旦"),
        ("ä", "Ã¤"),
    ])
    func `what is not there is not found`(_ words: String, _ text: String) throws {
        #expect(try !TextSearch(words).isIn(text))
    }

    // Source: CaseFolding.txt of Unicode 15.0, statuses C and S.
    @Test(arguments: [
        (0x41, 0x61), (0xB5, 0x3BC), (0xC0, 0xE0), (0xDF, 0xDF), (0x100, 0x101), (0x178, 0xFF), (0x17F, 0x73),
        (0x1C4, 0x1C6),
        (0x1C5, 0x1C6), (0x345, 0x3B9), (0x386, 0x3AC), (0x3C2, 0x3C3), (0x3D0, 0x3B2), (0x400, 0x450),
        (0x42F, 0x44F), (0x531, 0x561),
        (0x10A0, 0x2D00), (0x1E9E, 0xDF), (0x1F08, 0x1F00), (0x2126, 0x3C9), (0x212A, 0x6B), (0x2160, 0x2170),
        (0x24B6, 0x24D0),
        (0x131, 0x131), (0x130, 0x130), (0x4E00, 0x4E00), (0x1F98A, 0x1F98A),
    ])
    func `a scalar stands for the one that the Standard folds it to`(_ scalar: Int, _ folded: Int) throws {
        let text = try #require(Unicode.Scalar(scalar).map { String($0) })
        let expected = try #require(Unicode.Scalar(folded).map { String($0) })
        #expect(String(decoding: TextFolding.folded(text), as: UTF8.self) == expected)
    }

    // Compared with the standard library's search: every beginning that comes back within a word is among them.
    @Test(arguments: [("a", "b"), ("é", "è"), ("я", "b")])
    func `all words of two letters are found where they are`(_ one: String, _ other: String) throws {
        func all(_ count: Int) -> [String] {
            count == 0 ? [""] : all(count - 1).flatMap { [$0 + one, $0 + other] }
        }
        let texts = all(8)
        for words in (1...5).flatMap(all) {
            let search = try TextSearch(words)
            #expect(texts.filter(search.isIn) == texts.filter { $0.contains(words) }, "\(words)")
        }
    }

    @Test func `words of a client are at most 256 bytes long`() throws {
        #expect(try TextSearch(String(repeating: "é", count: 128)).isIn(String(repeating: "É", count: 128)))
        let refused = #expect(throws: TextSearch.TooLong.self) {
            try TextSearch(String(repeating: "é", count: 128) + "a")
        }
        #expect(refused?.count == 257)
    }

    @Test func `words as they are written have their case, and any length`() {
        let words = String(repeating: "Ä/", count: 1_000)
        #expect(TextSearch(exactly: words).isIn("x" + words + "y"))
        #expect(!TextSearch(exactly: "/Token").isIn("/token"))
        #expect(TextSearch(exactly: "").isIn(""))
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["a", "é"])
    func `words that are nearly there take no time of their own`(_ letter: String) throws {
        let text = String(repeating: letter, count: 8 * 1024)
        let search = try TextSearch(String(repeating: letter, count: 127) + "b")
        for _ in 1...1_000 { #expect(!search.isIn(text)) }
        #expect(search.isIn(text + "B"))
    }

    @Test func `bytes are searched as long as they are ASCII`() throws {
        let text = Array("{\"email\":\"Ada@example.com\"}".utf8)
        #expect(try TextSearch("ADA@").isIn(ascii: text[...]) == true)
        #expect(try TextSearch("ada@").isIn(ascii: text[10...]) == true)
        #expect(try TextSearch("ada@").isIn(ascii: text[12...]) == false)
        #expect(try TextSearch("é").isIn(ascii: text[...]) == false)
        #expect(try TextSearch("a").isIn(ascii: Array("é a".utf8)[...]) == nil)
        #expect(try TextSearch("a").isIn(ascii: [0xff, 0x61]) == nil)
        #expect(try TextSearch("a").isIn(ascii: []) == false)
    }
}
