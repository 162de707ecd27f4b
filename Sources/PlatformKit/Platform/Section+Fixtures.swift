package import SQLite

/// Looks at fixtures that load for what they say in vain.
package protocol ReviewsFixtures: Section {
    static func review(_ fixtures: Fixtures) throws -> [FixtureFinding]
}

/// Fixtures that are lists of records and nothing else: their section needs no functions to load and export them.
package protocol ListedFixtures: Codable, Sendable {
    init()

    /// In the order in which they are loaded: an entry refers to what stands above it.
    static var lists: [RecordList<Self, FixtureRules>] { get }
}

extension Section where Fixtures: ListedFixtures {
    package static func load(_ fixtures: Fixtures, into db: Connection) throws {
        var rules = FixtureRules()
        try Fixtures.lists.load(fixtures, &rules, into: db)
    }

    package static func export(from db: Connection) throws -> Fixtures {
        var fixtures = Fixtures()
        try Fixtures.lists.export(into: &fixtures, from: db)
        return fixtures
    }
}
