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

    @Test func `the newest thousands are remembered, and no more`() {
        let ids = IssuedIDs()
        for number in 0..<10_000 { ids.note("\(number)", in: "blue") }

        #expect(ids.world(of: "9999", besides: "red") == "blue")
        #expect(ids.world(of: "5904", besides: "red") == "blue")
        #expect(ids.world(of: "5903", besides: "red") == nil)
    }
}
