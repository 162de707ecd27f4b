import Essentials
import SQLite

/// Makes and opens worlds; ``Worlds`` remembers them.
struct WorldKeeper: Sendable {
    let loader: FixtureLoader
    let settings: Worlds.Settings
    let keys = KeyCache()

    /// A database full of `fixtures`, as bytes that worlds are cloned from.
    func image(of fixtures: FixtureSet) throws -> DatabaseImage {
        let database = try Database(.memory)
        try database.migrate(loader.migrations)
        try loader.load(fixtures.borrowingKeys(from: settings.builtInFixtures), into: database)
        return try database.image()
    }

    /// A world in memory, with the content of `image`.
    func open(_ name: String, image: DatabaseImage) throws -> World {
        try world(name, Database(.image(image)))
    }

    /// A world in the file at `path`.
    ///
    /// - Parameter begin: called for a file that was not there and was made with the content of `image`.
    func open(_ name: String, path: String, image: DatabaseImage, begin: (World) throws -> Void) throws
        -> World
    {
        do {
            let database = try Database(.file(path))
            // Also a file whose making was cut short.
            let isNew = try database.isEmpty
            if isNew { try database.restore(image) }
            try database.migrate(loader.migrations)
            let world = try world(name, database)
            if isNew { try begin(world) }
            try database.write { try WorldSettings.countOpening(in: $0) }
            return world
        } catch let error as SQLiteError {
            throw WorldError.unreadable(name, reason: "\(error)")
        } catch let error as SchemaTooNew {
            throw WorldError.unreadable(name, reason: "\(error)")
        }
    }

    /// Writes down with what clock and chance a new or reset world begins, and starts both.
    func begin(_ world: World, _ order: WorldOrder, seed: UInt64?, fixtures: String?) throws {
        try world.database.write { try WorldSettings.keep(seed: seed, fixtures: fixtures, in: $0) }
        let kept = try world.database.read { try WorldSettings.read(from: $0) }
        world.clock.follow(kept?.clock ?? WorldClock.Setting())
        world.streams.restart(seed: seed)
        world.journal.clear()
        if order.now != nil || order.isFrozen != nil {
            try world.clock.set(now: order.now, frozen: order.isFrozen)
        }
    }

    private func world(_ name: String, _ database: Database) throws -> World {
        guard let kept = try database.read({ try WorldSettings.read(from: $0) }) else {
            throw WorldError.unreadable(name, reason: "it has no settings")
        }
        let clock = WorldClock(kept.clock, real: settings.realTime) { setting in
            try database.write { try WorldSettings.keep(setting, in: $0) }
        }
        let world = World(
            name: name, database: database, clock: clock,
            streams: EntropyStreams(seed: kept.seed, openings: kept.openings),
            keys: KeyStore(database: database, cache: keys),
            forward: { [forwarder = settings.forwarder] mail, journal in
                Self.forward(mail, by: forwarder, database, journal)
            })
        for mail in try settings.forwarder == nil ? [] : world.outbox.unforwarded() {
            Self.forward(mail, by: settings.forwarder, database, world.journal)
        }
        return world
    }

    private static func forward(
        _ mail: SentMessage, by forwarder: MailForwarder?, _ database: Database, _ journal: Journal
    ) {
        forwarder?.forward(mail, journal: journal) { mail in
            do {
                try OutboxStore(database: database, bell: Bell()).markForwarded(mail.id)
            } catch {
                journal.append(
                    JournalEntry(
                        .event, at: mail.sentAt, event: "outbox not updated",
                        explanation: "Mail \(mail.id) was handed over but could not be marked so: \(error).",
                        isBug: true))
            }
        }
    }
}
