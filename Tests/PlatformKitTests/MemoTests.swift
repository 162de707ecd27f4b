import Testing

@testable import PlatformKit

struct MemoTests {
    @Test func `a value is derived once`() {
        let memo = Memo()

        #expect(memo.value("color") { "red" } == "red")
        #expect(memo.value("color") { "blue" } == "red")
    }

    @Test func `a value that was being derived while fixtures were loaded is not kept`() {
        let memo = Memo()
        let stale = memo.value("color") {
            memo.replace(with: MemoTable())
            return "of the old fixtures"
        }

        #expect(stale == "of the old fixtures")
        #expect(memo.value("color") { "of the new ones" } == "of the new ones")
    }

    @Test func `worlds of the same fixtures share what was derived from them`() {
        let table = MemoTable()
        #expect(Memo(table).value("color") { "red" } == "red")
        #expect(Memo(table).value("color") { "blue" } == "red")
        #expect(Memo().value("color") { "blue" } == "blue")
    }

    @Test func `a change at run time makes this world forget, and no other`() {
        let table = MemoTable()
        let (one, other) = (Memo(table), Memo(table))
        for name in ["acme.key", "other.key"] { #expect(one.value(name) { "first" } == "first") }

        one.changing("acme.") {}

        #expect(one.value("acme.key") { "second" } == "second")
        #expect(one.value("other.key") { "second" } == "first")
        #expect(other.value("acme.key") { "third" } == "first")
    }

    @Test func `what is derived during a change reaches no other world, and is not kept`() {
        let table = MemoTable()
        let (one, other) = (Memo(table), Memo(table))

        one.changing("acme.") { #expect(one.value("acme.key") { "half" } == "half") }

        #expect(one.value("acme.key") { "new" } == "new")
        #expect(other.value("acme.key") { "old" } == "old")
    }
}
