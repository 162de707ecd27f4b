import Testing

@testable import PlatformKit

@Suite struct IssuedIDTests {
    @Test func `an id leads to the world that gave it out, but for that world itself`() {
        let ids = IssuedIDs()
        ids.note("a", in: "blue")

        #expect(ids.world(of: "a", besides: "default") == "blue")
        #expect(ids.world(of: "a", besides: "blue") == nil)
        #expect(ids.world(of: "b", besides: "blue") == nil)
    }

    @Test func `an id that two worlds gave out leads to neither`() {
        let ids = IssuedIDs()
        ids.note("a", in: "blue")
        ids.note("a", in: "red")
        ids.note("a", in: "blue")

        #expect(ids.world(of: "a", besides: "default") == nil)
        #expect(ids.world(of: "a", besides: "blue") == nil)
    }

    @Test func `a world knows whether there is anything of others to look for`() {
        let ids = IssuedIDs()
        #expect(!ids.knowsOthers(than: "blue"))
        ids.note("a", in: "blue")
        #expect(!ids.knowsOthers(than: "blue") && ids.knowsOthers(than: "red"))
        ids.note("a", in: "red")
        #expect(!ids.knowsOthers(than: "blue") && !ids.knowsOthers(than: "default"), "it leads to neither")
        ids.note("b", in: "red")
        #expect(ids.knowsOthers(than: "blue"))
        for number in 0..<5000 { ids.note("\(number)", in: "blue") }
        #expect(!ids.knowsOthers(than: "blue"), "what the other gave out is forgotten")
    }

    @Test func `the newest thousands are remembered, and no more`() {
        let ids = IssuedIDs()
        for number in 0..<10_000 { ids.note("\(number)", in: "blue") }

        #expect(ids.world(of: "9999", besides: "red") == "blue")
        #expect(ids.world(of: "5904", besides: "red") == "blue")
        #expect(ids.world(of: "5903", besides: "red") == nil)
    }
}
