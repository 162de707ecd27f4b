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

    // The last of a search alone, one more letter than there is, and characters whose bytes differ by the bit of the case.
    @Test(arguments: [
        ("ada", ""), ("ada", "ad"), ("adaa", "ada"), ("ada", "a d a"), ("é", "cafe"), ("é", "cafè"),
        ("[", "{"), ("@", "`"),
        ("k", "\u{e4}"),
    ])
    func `what is not there is not found`(_ words: String, _ text: String) {
        #expect(!TextSearch(words).isIn(text))
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
