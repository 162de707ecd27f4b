import Essentials
import SQLite

/// What a world remembers of itself beside its platforms' tables: its clock and its chance.
struct WorldSettings: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE kit_world (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            clock_offset REAL NOT NULL DEFAULT 0, -- seconds ahead of real time
            clock_frozen_at INTEGER, -- milliseconds since 1970 UTC
            clock_issues_real INTEGER NOT NULL DEFAULT 0 CHECK (clock_issues_real IN (0, 1)),
            seed TEXT, -- of 64 bits, decimal; without one chance is the system's
            openings INTEGER NOT NULL DEFAULT 0, -- how often a program opened this world
            fixtures TEXT, -- of a world that was made with fixtures or a clock of its own
            cors TEXT -- JSON, the section of the fixtures
        ) STRICT
        """,
        "INSERT INTO kit_world (only) VALUES (1)",
    ]

    let clock: WorldClock.Setting
    let seed: UInt64?
    /// How often the world was opened before: a seeded world must not draw the same values again after a restart.
    let openings: Int
    let fixtures: String?

    static func read(from db: Connection) throws -> WorldSettings? {
        try db.first(WorldSettings.self, "SELECT * FROM kit_world")
    }

    static func keep(_ clock: WorldClock.Setting, in db: Connection) throws {
        try db.execute(
            """
            UPDATE kit_world SET clock_offset = \(clock.offsetSeconds), clock_frozen_at = \(clock.frozenAt),
                clock_issues_real = \(clock.issuesAtRealTime)
            """)
    }

    static func keep(seed: UInt64?, fixtures: String?, in db: Connection) throws {
        try db.execute("UPDATE kit_world SET seed = \(seed.map { String($0) }), fixtures = \(fixtures)")
    }

    static func countOpening(in db: Connection) throws {
        // What has no room in the column would be a real number, which it does not take.
        try db.execute("UPDATE kit_world SET openings = min(openings, \(Int.max - 1)) + 1")
    }

    static func load(_ clock: ClockFixture, into db: Connection) throws {
        guard clock.now == nil || clock.offsetSeconds == nil else {
            throw FixtureProblem(at: ["now"], "give either “now” or “offset_seconds”")
        }
        if let now = clock.now, !WorldClock.range.contains(now) {
            throw FixtureProblem(at: ["now"], "expected a time from 1970 to 9999")
        }
        if let offset = clock.offsetSeconds, abs(offset) > WorldClock.range.upperBound.timeIntervalSince1970 {
            throw FixtureProblem(
                at: ["offset_seconds"], "expected a number that leads to a time from 1970 to 9999")
        }
        try keep(
            .init(
                offsetSeconds: clock.offsetSeconds ?? 0, frozenAt: clock.now,
                issuesAtRealTime: clock.tokenTimes == .real), in: db)
    }

    static func export(from db: Connection) throws -> ClockFixture? {
        guard let clock = try read(from: db)?.clock, clock != WorldClock.Setting() else { return nil }
        let times: ClockFixture.TokenTimes? = clock.issuesAtRealTime ? .real : nil
        return clock.frozenAt == nil
            ? ClockFixture(now: nil, offsetSeconds: clock.offsetSeconds, tokenTimes: times)
            : ClockFixture(now: clock.frozenAt, offsetSeconds: nil, tokenTimes: times)
    }
}

extension WorldSettings: RowDecodable {
    init(row: Row) throws {
        clock = WorldClock.Setting(
            offsetSeconds: try row.real("clock_offset"), frozenAt: try row.optionalDate("clock_frozen_at"),
            issuesAtRealTime: try row.boolean("clock_issues_real"))
        seed = try row.optionalText("seed").flatMap { UInt64($0) }
        openings = try row.integer("openings")
        fixtures = try row.optionalText("fixtures")
    }
}

/// The section `clock`: a time at which the world stands still, or the seconds it is ahead.
struct ClockFixture: Codable, Sendable {
    enum TokenTimes: String, Codable, Sendable {
        case world, real
    }

    let now: Date?
    let offsetSeconds: Double?
    /// What tokens say in `iat` and `nbf`; the world's time when left out.
    let tokenTimes: TokenTimes?

    enum CodingKeys: String, CodingKey {
        case now
        case offsetSeconds = "offset_seconds"
        case tokenTimes = "token_times"
    }
}

/// The tables that every world has.
enum KitSchema {
    static let migrations: [SQL] =
        WorldSettings.migrations + KeyStore.migrations + PersonStore.migrations + OutboxStore.migrations
        + AuthenticatorStore.migrations + SettingRow.migrations + FaultRule.migrations
        + LateMessage.migrations

    static let readers = [
        RowReader(WorldSettings.self, table: "kit_world"), RowReader(KeyFixture.self, table: "kit_key"),
        RowReader(Person.self, table: "kit_person"), RowReader(SentMessage.self, table: "kit_message"),
        RowReader(KeptAuthenticator.self, table: "kit_authenticator"),
        // The numbers of COSE's algorithms lie below zero.
        RowReader(KeptCredential.self, table: "kit_authenticator_credential", signed: ["algorithm"]),
        RowReader(SettingRow.self), RowReader(FaultRule.self), RowReader(LateMessage.self),
    ]
}
