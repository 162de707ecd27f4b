import Essentials
import PlatformKit
import Platforms
import Testing

@testable import Understudy

@Suite struct StarterFileTests {
    @Test func `every platform has a file to begin with`() {
        #expect(StarterFile.platforms == Platforms.all.map { $0.name }.filter { $0 != "app" }.sorted())
    }

    @Test(arguments: StarterFile.platforms)
    func `a starter file names itself and has no mistake`(_ platform: String) throws {
        let text = try StarterFile.text("team.json", of: platform)
        #expect(text.contains("understudy fixtures check team.json") && !text.contains("$FILE"))
        #expect(try FixtureCheck.faults(of: FixtureSet(text: Array(text.utf8), file: "team.json")) == [])
    }

    @Test func `the built-in fixtures have no mistake`() throws {
        #expect(try FixtureCheck.faults(of: FixtureFiles.builtIn()) == [])
    }
}
