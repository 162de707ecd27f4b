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
}
