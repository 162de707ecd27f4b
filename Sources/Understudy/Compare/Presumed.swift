import Comparison
import Essentials
import PlatformKit

/// What a recording takes for granted, made in the worlds in which it is played.
struct Presumed {
    private(set) var made: [Made] = []
    /// What is seen and could not be made.
    private(set) var needs: [Need] = []
    /// Those of the first world, with what was made, as text.
    private(set) var fixtures = ""

    /// - Parameter seen: what is wanted beside fixtures.
    /// - Throws: `WorldError`, and what `seen` throws.
    init(_ worlds: Worlds, _ names: [String], _ seen: (_ fixtures: [UInt8]) throws -> [Made]) throws {
        let rooms = try names.compactMap { try worlds.world($0) }
        guard let first = rooms.first else { return }
        let wanted = try seen(worlds.export(first))
        if !wanted.isEmpty {
            try make(wanted, in: first, worlds)
            if !made.isEmpty {
                for room in rooms.dropFirst() { try Self.add(made, to: room, worlds) }
            }
        }
        fixtures = String(decoding: try worlds.export(first), as: UTF8.self)
    }

    /// All of it, or one after the other where some of it is refused.
    private mutating func make(_ wanted: [Made], in world: World, _ worlds: Worlds) throws {
        do {
            try Self.add(wanted, to: world, worlds)
            made = wanted
        } catch is FixtureError {
            for one in wanted {
                do {
                    try Self.add([one], to: world, worlds)
                    made.append(one)
                } catch let error as FixtureError {
                    needs.append(Need(one, refused: error.reason))
                }
            }
        }
    }

    /// - Throws: `FixtureError`, and nothing was added.
    private static func add(_ made: [Made], to world: World, _ worlds: Worlds) throws {
        let own = try FixtureSet(text: worlds.export(world), file: "the world \(world.name)")
        let added = try FixtureSet(text: Made.file(made).bytes, file: "the recording")
        try worlds.load(own.merged(with: added), into: world)
    }
}
