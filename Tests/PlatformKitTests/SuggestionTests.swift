import Testing

@testable import PlatformKit

@Suite struct SuggestionTests {
    // Damerau's four slips.
    @Test(arguments: ["fixture", "fixturess", "fixtuers", "fixtores"])
    func `one slip is forgiven`(_ typed: String) {
        #expect(Suggestion.nearest(to: typed, among: ["serve", "fixtures", "world"]) == "fixtures")
    }

    @Test func `a beginning is enough`() {
        #expect(Suggestion.nearest(to: "vers", among: ["serve", "version"]) == "version")
    }

    @Test(arguments: ["", "x", "elephant"])
    func `what is near to nothing suggests nothing`(_ typed: String) {
        #expect(Suggestion.nearest(to: typed, among: ["serve", "fixtures", "world"]) == nil)
    }
}
