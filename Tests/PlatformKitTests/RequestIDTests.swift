import Testing

@testable import PlatformKit

@Suite struct RequestIDTests {
    @Test func `ids are short, lower-case hex, and never the same twice`() {
        let ids = RequestIDs()
        let made = (0..<200_000).map { _ in ids.make() }
        #expect(Set(made).count == made.count)
        #expect(made.prefix(1000).allSatisfy { $0.wholeMatch(of: /[0-9a-f]{15}/) != nil })
        // Neighbours share no more than chance has it: of 999 pairs, one in sixteen begins with the same digit.
        let alike = zip(made.prefix(1000), made.prefix(1000).dropFirst()).filter { $0.0.first == $0.1.first }
        #expect((20...120).contains(alike.count))
    }
}
