import PlatformKit
import Platforms
import Testing

@testable import Understudy

/// The program trusts the keys it carries without reading them at its start.
@Suite struct BuiltInKeysTests {
    @Test func `the signing keys of the built-in fixtures are sound`() throws {
        let file = try FixtureFiles.builtIn()
        let empty = try FixtureSet(text: Array("{}".utf8), file: "nothing to trust")
        _ = try Worlds(
            sections: Platforms.sections, fixtures: file, settings: Worlds.Settings(builtInFixtures: empty))
    }
}
