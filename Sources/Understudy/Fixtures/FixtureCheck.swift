import Essentials
import PlatformKit
import Platforms

/// Reads fixtures exactly as `serve` would, without serving.
enum FixtureCheck {
    /// - Throws: `FixtureError` with the place of the first fault.
    static func load(_ fixtures: FixtureSet) throws -> Worlds {
        try Worlds(
            sections: Platforms.sections, fixtures: fixtures,
            settings: Worlds.Settings(builtInFixtures: try FixtureFiles.builtIn()))
    }

    /// Everything that is wrong, also what `serve` takes and nobody means; in the order of the file.
    static func faults(of fixtures: FixtureSet) throws -> [FixtureError] {
        try fixtures.faults(of: Platforms.sections) { _ = try load($0) }
    }

    /// The fixtures as plain JSON with everything in it, as `export` writes them.
    ///
    /// - Throws: `FixtureError`, ``Failure``.
    static func normalized(_ paths: [String]) throws -> [UInt8] {
        let worlds = try load(FixtureFiles.load(paths))
        guard let world = try worlds.world(Worlds.defaultName) else { return [] }
        return try worlds.export(world)
    }
}
