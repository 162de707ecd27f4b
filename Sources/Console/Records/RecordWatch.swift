import HTTP
import PlatformKit

/// The records of all platforms in one world, and what happens to them.
struct RecordWatch: Sendable {
    let world: World
    let platforms: [any Platform.Type]

    /// Newest first.
    func all() throws -> [ConsoleRecord] {
        try platforms.flatMap { try world.ask($0, (any KeepsRecords).self)?.records() ?? [] }.newestFirst(
            by: \.createdAt)
    }

    /// The record with this id, and the platform that has it; nil when there is none.
    func find(_ id: String, of name: String) throws -> (record: ConsoleRecord, platform: any Platform.Type)? {
        guard let platform = platforms.first(where: { $0.name == name }) else { return nil }
        return try world.record(id, of: platform).map { ($0, platform) }
    }

    /// What `answer` makes of the first value that `choose` finds among the records, newest first, within `seconds`.
    func answer<Value>(
        within seconds: Double, choose: @escaping @Sendable ([ConsoleRecord]) throws -> Value?,
        with answer: @escaping @Sendable (Value?) throws -> Response
    ) throws -> Response {
        try ChangeWatch(world: world).answer(within: seconds, "records", all) { all in
            Look(try choose(all), untilNext: untilChange)
        } with: {
            try answer($0)
        }
    }

    /// The same for one record, also one that the list does not reach back to.
    func answer<Value>(
        within seconds: Double, record id: String, of platform: String,
        choose: @escaping @Sendable (ConsoleRecord?) throws -> Value?,
        with answer: @escaping @Sendable (Value?) throws -> Response
    ) throws -> Response {
        try ChangeWatch(world: world).answer(
            within: seconds, "record \(platform) \(id)", { try find(id, of: platform)?.record }
        ) { record in
            Look(try choose(record), untilNext: untilChange)
        } with: {
            try answer($0)
        }
    }

    /// No record says when time alone will change it.
    private var untilChange: Double { world.clock.isFrozen ? .infinity : 1 }
}

extension World {
    /// Nil also at a platform that keeps none.
    func record(_ id: String, of platform: any Platform.Type) throws -> ConsoleRecord? {
        try ask(platform, (any KeepsRecords).self)?.record(id)
    }

    /// What can be made at a platform.
    func newRecords(of platform: any Platform.Type) throws -> [NewRecord] {
        try ask(platform, (any MakesRecords).self)?.newRecords() ?? []
    }
}
