import Essentials
import SQLite
import Upstream

/// Turns fixtures into the content of a database, and back.
struct FixtureLoader: Sendable {
    let sections: [any Section.Type]
    /// Whose signing keys need no check; a test of their own holds them.
    var trusted: (@Sendable () throws -> FixtureSet)?

    private static let people = "people"
    private static let clock = "clock"

    /// The top-level members that a file may have.
    private var members: [String] {
        [
            KeyFixture.section, Self.people, Self.clock, FixedCodes.section, CORSFixture.section,
            FaultRule.section, UpstreamFixture.section, CallsFixture.section,
        ]
            + sections.map { $0.name }
    }

    /// Where platforms answer.
    private var mounts: [String] {
        sections.compactMap { $0 as? any Platform.Type }.flatMap { $0.mountPaths }
    }

    /// Every table of the kit and of the sections.
    var migrations: [(name: String, steps: [SQL])] {
        [("kit", KitSchema.migrations)] + foundations.map { ($0.name, $0.steps) }
            + sections.map { ($0.name, $0.migrations) }
    }

    /// What reads the rows of the tables.
    var readers: [RowReader] {
        KitSchema.readers + foundations.flatMap { $0.records.map { RowReader($0) } }
            + sections.flatMap { $0.records.map { RowReader($0) } }
    }

    /// Each once, however many platforms stand on it.
    private var foundations: [Schema] {
        sections.flatMap { $0.foundations }.reduce(into: []) { schemas, schema in
            if !schemas.contains(where: { $0.name == schema.name }) { schemas.append(schema) }
        }
    }

    /// Fills an empty database, all or nothing.
    ///
    /// - Throws: ``FixtureError`` with the place of the first fault.
    func load(_ fixtures: FixtureSet, into database: Database) throws {
        try fixtures.refuseSections(besides: members)
        try database.write { db in
            try loadKit(fixtures, into: db)
            try loadCalls(fixtures, into: db)
            for section in sections { try load(section, from: fixtures, into: db) }
        }
    }

    private func loadKit(_ fixtures: FixtureSet, into db: Connection) throws {
        if fixtures.root.member(KeyFixture.section) != nil {
            let keys = try fixtures.decode([KeyFixture].self, section: KeyFixture.section)
            let areTrusted =
                try trusted.map { fixtures.hasSection(KeyFixture.section, of: try $0()) } ?? false
            try fixtures.locating(KeyFixture.section) {
                try KeyStore.load(keys, of: areTrusted ? nil : sections.map { $0.name }, into: db)
            }
        }
        if fixtures.root.member(Self.people) != nil {
            let people = try fixtures.decode([Person].self, section: Self.people)
            try fixtures.locating(Self.people) { try PersonStore.load(people, into: db) }
        }
        if fixtures.root.member(Self.clock) != nil {
            let clock = try fixtures.decode(ClockFixture.self, section: Self.clock)
            try fixtures.locating(Self.clock) { try WorldSettings.load(clock, into: db) }
        }
        try loadRules(fixtures, into: db)
    }

    /// What holds for every platform.
    private func loadRules(_ fixtures: FixtureSet, into db: Connection) throws {
        if fixtures.root.member(FixedCodes.section) != nil {
            let codes = try fixtures.decode(FixedCodes.self, section: FixedCodes.section)
            try fixtures.locating(FixedCodes.section) { try codes.load(into: db) }
        }
        if fixtures.root.member(CORSFixture.section) != nil {
            let rules = try fixtures.decode(CORSFixture.self, section: CORSFixture.section)
            try fixtures.locating(CORSFixture.section) { try rules.load(into: db) }
        }
        if fixtures.root.member(FaultRule.section) != nil {
            let rules = try fixtures.decode([FaultRule].self, section: FaultRule.section)
            try fixtures.locating(FaultRule.section) {
                try FaultRule.load(rules, of: sections.flatMap(FaultMatch.names), into: db)
            }
        }
    }

    /// Whom the world calls.
    private func loadCalls(_ fixtures: FixtureSet, into db: Connection) throws {
        let section = UpstreamFixture.section
        if fixtures.root.member(section) != nil {
            let upstreams = try fixtures.decode([String: Upstream].self, section: section)
            try fixtures.locating(section) { try UpstreamFixture.load(upstreams, mounts: mounts, into: db) }
        }
        if fixtures.root.member(CallsFixture.section) != nil {
            let calls = try fixtures.decode(CallsFixture.self, section: CallsFixture.section)
            try fixtures.locating(CallsFixture.section) { try calls.load(into: db) }
        }
    }

    private func load<S: Section>(_: S.Type, from fixtures: FixtureSet, into db: Connection) throws {
        let section = try fixtures.decode(S.Fixtures.self, section: S.name)
        try fixtures.locating(S.name) { try S.load(section, into: db) }
    }

    /// The whole state as a fixture file.
    func export(from database: Database) throws -> [UInt8] {
        let members = try database.read { db in
            var members: [String: Member] = [
                KeyFixture.section: Member(try KeyStore.export(from: db)),
                Self.people: Member(try PersonStore.export(from: db)),
            ]
            if let clock = try WorldSettings.export(from: db) { members[Self.clock] = Member(clock) }
            if let rules = try CORSFixture.read(from: db) { members[CORSFixture.section] = Member(rules) }
            let codes = try FixedCodes(in: db)
            if !codes.all.isEmpty { members[FixedCodes.section] = Member(codes) }
            if let upstreams = try UpstreamFixture.setting.value(in: db) {
                members[UpstreamFixture.section] = Member(upstreams)
            }
            if let calls = try CallsFixture.setting.value(in: db) {
                members[CallsFixture.section] = Member(calls)
            }
            let faults = try db.all(FaultRule.self)
            if !faults.isEmpty { members[FaultRule.section] = Member(faults) }
            for section in sections { members[section.name] = try fixtures(of: section, from: db) }
            return members
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date))
        }
        let text = try encoder.encode(members)
        // It may be many megabytes, which `+` would have three times.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 1)
        bytes += text
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private func fixtures<S: Section>(of _: S.Type, from db: Connection) throws -> Member {
        Member(try S.export(from: db))
    }

    /// A value of any shape, to be written.
    private struct Member: Encodable, Sendable {
        private let write: @Sendable (any Encoder) throws -> Void

        init(_ value: some Encodable & Sendable) { write = { try value.encode(to: $0) } }

        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }
}
