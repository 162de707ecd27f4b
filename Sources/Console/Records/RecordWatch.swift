import PlatformKit

/// The records of all platforms in one world, and what happens to them.
struct RecordWatch {
    let world: World
    let platforms: [PlatformCard]

    /// Newest first.
    func all() throws -> [Record] {
        try platforms.flatMap { try $0.records(world) }.newestFirst(by: \.createdAt)
    }

    /// The record with this id, and the platform that has it; nil when there is none.
    func find(_ id: String, of name: String) throws -> (record: Record, platform: PlatformCard)? {
        guard let platform = platforms.first(where: { $0.name == name }) else { return nil }
        return try platform.record(id, world).map { ($0, platform) }
    }

    /// The first value that `look` finds, within `seconds`.
    func wait<Value>(seconds: Double, for look: () throws -> Value?) throws -> Value? {
        try ChangeWatch(world: world).wait(seconds: seconds) {
            // No record says when time alone will change it.
            ChangeWatch.Look(found: try look(), untilNext: world.clock.isFrozen ? .infinity : 1)
        }
    }
}
