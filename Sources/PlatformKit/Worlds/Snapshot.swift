package import Essentials
import SQLite

/// A moment of a world to go back to: its database with users, sessions and outbox, its clock, and how far its chance was drawn.
/// The journal is not part of it: it tells of the restore.
package struct Snapshot: Sendable {
    /// 1 to 40 of a-z, 0-9 and `-`.
    package let name: String
    /// The world's time.
    package let takenAt: Date
    let image: WorldImage
    let chance: EntropyStreams.Position

    /// Of its file.
    package var bytes: Int { image.database.byteCount }
}

/// The snapshots of one world.
package struct SnapshotList: Sendable {
    /// In one world.
    package static let limit = 100

    /// The oldest first.
    package internal(set) var snapshots: [Snapshot] = []
    /// Files among them that cannot be used, by name.
    package internal(set) var damaged: [Damaged] = []

    package struct Damaged: Sendable {
        package let name: String
        /// Goes on a sentence, without a full stop.
        package let reason: String
    }
}

/// What a snapshot's file says of it, beside the content.
private struct SnapshotNote: Codable, Sendable {
    static let setting = Setting<SnapshotNote>("kit.snapshot")

    let name: String
    let takenAt: Date
    let chance: EntropyStreams.Position
}

extension WorldKeeper {
    func snapshot(_ name: String, of world: World) throws -> Snapshot {
        let takenAt = world.clock.now
        let image = try image(unchanged: world.database.image())
        // After the image: what is drawn meanwhile is left out, and nothing that the image holds can be drawn again.
        return Snapshot(name: name, takenAt: takenAt, image: image, chance: world.streams.position)
    }

    private func image(unchanged content: DatabaseImage) throws -> WorldImage {
        try image(of: Database(.image(content)), unchanged: content)
    }

    /// Puts the world back to a snapshot of it or of another, and its clock too, unless that shall go on.
    ///
    /// What a reset leads to stays as it is.
    func restore(_ snapshot: Snapshot, in world: World, keepsClock: Bool) throws {
        let (own, clock) = (try Self.settings(of: world.database, world.name), world.clock.current)
        try world.restore(snapshot.image)
        world.streams.go(to: snapshot.chance)
        try world.database.write {
            try WorldSettings.keep(seed: own.seed, fixtures: own.fixtures, in: $0)
            if keepsClock { try WorldSettings.keep(clock, in: $0) }
        }
        if !keepsClock { try begin(world, at: snapshot) }
        world.core.deliverLateMessages()
        world.core.attend()
    }

    /// Has the world's clock go on from the moment of the snapshot.
    func begin(_ world: World, at snapshot: Snapshot) throws {
        world.clock.follow(snapshot.image.settings.clock)
        if !world.clock.isFrozen { try world.clock.set(now: snapshot.takenAt, frozen: nil) }
    }
}

// Snapshots as files.
extension WorldKeeper {
    /// A SQLite file that ``snapshot(reading:)`` takes.
    func file(of snapshot: Snapshot) throws -> [UInt8] {
        let database = try Database(.image(snapshot.image.database))
        let note = SnapshotNote(name: snapshot.name, takenAt: snapshot.takenAt, chance: snapshot.chance)
        try database.write { try SnapshotNote.setting.set(note, in: $0) }
        return try database.image().bytes
    }

    /// - Parameter name: instead of the one that the file says.
    /// - Throws: ``WorldError/snapshotUnreadable(_:)``.
    func snapshot(reading bytes: [UInt8], as name: String? = nil) throws -> Snapshot {
        do {
            let database = try Database(.memory)
            try database.restore(DatabaseImage(bytes: bytes))
            guard try database.isOurs, try database.isWhole else {
                throw WorldError.snapshotUnreadable("it is damaged, or not a snapshot of Understudy")
            }
            try database.migrate(loader.migrations)
            try check(database)
            guard let note = try database.read({ try SnapshotNote.setting.value(in: $0) }) else {
                throw WorldError.snapshotUnreadable("it is the data file of a world, not a snapshot")
            }
            guard Date.writable.contains(note.takenAt) else {
                throw UnsoundTable(
                    "kit_setting", "value", "the time of the snapshot is not of the years 1970 to 9999")
            }
            try database.write { try SnapshotNote.setting.set(nil, in: $0) }
            try checkRules(of: database)
            return Snapshot(
                name: name ?? note.name, takenAt: note.takenAt, image: try image(unchanged: database.image()),
                chance: note.chance)
        } catch let error as UnsoundTable {
            throw WorldError.snapshotUnreadable("\(error)")
        } catch let error as FixtureError {
            throw WorldError.snapshotUnreadable("what it holds is refused as fixtures: \(error)")
        } catch is DecodingError {
            throw WorldError.snapshotUnreadable(
                "table kit_setting, column value: expected JSON of another form")
        } catch WorldError.unreadable(_, let reason) {
            throw WorldError.snapshotUnreadable(reason)
        } catch is SQLiteError {
            throw WorldError.snapshotUnreadable("it is damaged, or not a SQLite file")
        } catch is SchemaTooNew {
            throw WorldError.snapshotUnreadable("it was created by a newer version of Understudy")
        }
    }
}

extension Database {
    fileprivate var isWhole: Bool {
        get throws { try read { try $0.value(String.self, "PRAGMA integrity_check(1)") } == "ok" }
    }
}
