package import Essentials

/// What a new world shall be like.
package struct WorldOrder: Sendable {
    /// 1 to 40 of a-z, 0-9 and `-`; nil for a name that is made up.
    package var name: String?
    /// Nil for the fixtures that the program was started with.
    package var fixtures: FixtureSet?
    /// What it goes on from, in the place of fixtures.
    package var origin: Origin?
    package var now: Date?
    package var isFrozen: Bool?
    /// Makes ids, codes and keys repeatable; nil for the program's own seed, if it has one.
    package var seed: UInt64?

    /// A snapshot of a world.
    package struct Origin: Sendable {
        package let world: String
        package let snapshot: String

        package init(world: String, snapshot: String) { (self.world, self.snapshot) = (world, snapshot) }
    }

    package init() {}

    /// The name that is ordered, or one that is made up.
    ///
    /// - Throws: ``WorldError/nameMalformed(_:)``.
    func checkedName() throws -> String {
        guard let name else { return "w-" + Entropy.system.identifier(for: "kit.world") }
        guard WorldName.isOne(name) else { throw WorldError.nameMalformed(name) }
        return name
    }
}

/// A world, as a list of worlds shows it.
package struct WorldSummary: Sendable {
    package let name: String
    /// The world itself, to look at without using it; nil for one that was not touched yet or whose file is closed.
    package let live: World?
    package let createdAt: Date
    package let lastUsedAt: Date

    /// Whether it was touched and holds a database now.
    package var isLive: Bool { live != nil }
}
