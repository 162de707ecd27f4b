import Essentials
import Testing

@Suite struct TextSearchTests {
    @Test(arguments: [
        ("ada", "ADA@example.test"), ("ADA", "to ada"), ("a", "a"), ("", ""), ("", "anything"),
        ("aab", "aaab"), ("[", "a[0]"), ("@", "`@`"), ("straße", "STRASSE Straße"), ("ÄRGER", "großer ärger"),
        ("7 µs", "took 7 µs"), ("ada", "Grüße an Ada"), ("caf", "cafe\u{301}"), ("é", "cafe\u{301}"),
    ])
    func `words are found whatever their case`(_ words: String, _ text: String) {
        #expect(TextSearch(words).isIn(text))
    }

    // Among them a text that is one letter short, and characters that differ as cases do.
    @Test(arguments: [
        ("ada", ""), ("ada", "ad"), ("adaa", "ada"), ("ada", "a d a"), ("é", "cafe"), ("é", "cafè"),
        ("[", "{"), ("@", "`"),
    ])
    func `what is not there is not found`(_ words: String, _ text: String) {
        #expect(!TextSearch(words).isIn(text))
    }

    // Compared with the standard library's search: every beginning that comes back within a word is among them.
    @Test func `all words of two letters are found where they are`() {
        func all(_ count: Int) -> [String] {
            count == 0 ? [""] : all(count - 1).flatMap { [$0 + "a", $0 + "b"] }
        }
        let texts = all(8)
        for words in (1...5).flatMap(all) {
            let search = TextSearch(words)
            #expect(texts.filter(search.isIn) == texts.filter { $0.contains(words) }, "\(words)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `long words that are nearly there take no time of their own`() {
        let text = [UInt8](repeating: 0x61, count: 16 * 1024)
        let search = TextSearch(String(repeating: "a", count: 8_000) + "b")
        for _ in 1...500 { #expect(search.isIn(ascii: text[...]) == false) }
        #expect(search.isIn(ascii: (text + [0x42])[...]) == true)
    }

    @Test func `bytes are searched as long as they are ASCII`() {
        let text = Array("{\"email\":\"Ada@example.test\"}".utf8)
        #expect(TextSearch("ADA@").isIn(ascii: text[...]) == true)
        #expect(TextSearch("ada@").isIn(ascii: text[10...]) == true)
        #expect(TextSearch("ada@").isIn(ascii: text[12...]) == false)
        #expect(TextSearch("é").isIn(ascii: text[...]) == false)
        #expect(TextSearch("a").isIn(ascii: Array("é a".utf8)[...]) == nil)
        #expect(TextSearch("a").isIn(ascii: [0xff, 0x61]) == nil)
        #expect(TextSearch("a").isIn(ascii: []) == false)
    }
}
