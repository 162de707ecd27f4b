import Testing

@testable import Understudy

@Suite struct ColumnsTests {
    @Test func `cells stand below one another, and no line ends in spaces`() {
        let lines = Columns.lines([["a", "é", "new"], ["long", "b", ""], ["c"]], indent: 1)
        #expect(lines == [" a     é  new", " long  b", " c"])
        #expect(Columns.lines([["é"], [""]]) == ["é", ""])
    }

    @Test func `words are wrapped, and a longer one has a line of its own`() {
        #expect(Columns.wrap("one two three", width: 7) == ["one two", "three"])
        #expect(Columns.wrap("a unbreakable b", width: 4) == ["a", "unbreakable", "b"])
    }
}
