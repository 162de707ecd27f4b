import Essentials
import HTTPClient
import SQLite
import Synchronization
import Upstream

/// Makes and opens worlds; ``Worlds`` remembers them.
struct WorldKeeper: Sendable {
    let loader: FixtureLoader
    let settings: WorldsSettings
    let keys = KeyCache()
    private let images = WorldImages()
    /// A database with all tables and no fixtures, once somebody needed one: making the tables is most of making an image.
    private let tables = Tables()

    /// See ``tables``.
    private final class Tables: Sendable {
        let image = Mutex<DatabaseImage?>(nil)
        let check = Mutex<ContentCheck?>(nil)
    }

    init(sections: [any Section.Type], settings: WorldsSettings) {
        loader = FixtureLoader(sections: sections, trusted: settings.builtInFixtures)
        self.settings = settings
    }

    /// A database full of `fixtures`, which worlds begin with.
    func image(of fixtures: FixtureSet) throws -> WorldImage {
        try images.image(of: fixtures) {
            let database = try Database(.image(emptyImage()))
            try loader.load(fixtures.borrowingKeys(from: settings.builtInFixtures()), into: database)
            return try image(of: database, unchanged: database.image())
        }
    }

    /// The same of a database that was made earlier, and may be of an older program.
    func image(_ content: DatabaseImage) throws -> WorldImage {
        let database = try Database(.image(content))
        try database.migrate(loader.migrations)
        return try image(of: database, unchanged: database.image())
    }

    /// - Parameter content: of the database.
    func image(of database: Database, unchanged content: DatabaseImage) throws -> WorldImage {
        WorldImage(
            database: content, settings: try Self.settings(of: database, "new"),
            faults: try Self.faults(of: database),
            upstreams: try database.upstreams(), calls: try database.calls(),
            hasScheduledWork: try hasScheduledWork(database))
    }

    private func hasScheduledWork(_ database: Database) throws -> Bool {
        guard let duties = settings.duties else { return false }
        return try database.read(duties.areThere)
    }

    private func emptyImage() throws -> DatabaseImage {
        if let made = tables.image.withLock({ $0 }) { return made }
        let database = try Database(.memory)
        try database.migrate(loader.migrations)
        let made = try database.image()
        tables.image.withLock { $0 = made }
        return made
    }

    /// Looks at a database that may come from anywhere, and has all tables of this version.
    ///
    /// - Throws: ``UnsoundTable``.
    func check(_ database: Database) throws {
        let check = try tables.check.withLock { made in
            if let made { return made }
            let new = try ContentCheck(model: Database(.image(emptyImage())), readers: loader.readers)
            made = new
            return new
        }
        try check.check(database)
    }

    /// Holds what a database holds against the rules of fixtures, which are those of all values that people choose.
    ///
    /// - Throws: ``FixtureError``.
    func checkRules(of database: Database) throws {
        let fixtures = try FixtureSet(text: loader.export(from: database), file: "snapshot")
        try loader.load(fixtures, into: Database(.image(emptyImage())))
    }

    /// A world in memory, with the content of `image`. Nothing is asked of its database: thousands are made.
    func open(_ name: String, image: WorldImage) throws -> World {
        World(
            core(
                name, try Database(.image(image.database)), image.settings, image.memo, image.faults,
                image.upstreams, image.calls))
    }

    /// A world in the file at `path`.
    ///
    /// - Parameter begin: called for a file that was not there and was made with the content of `image`.
    func open(
        _ name: String, path: String, image: WorldImage, begin: (World) throws -> Void
    ) throws -> World {
        if FileManager.default.fileExists(atPath: path), !FileManager.default.isPlainFile(path) {
            throw WorldError.unreadable(name, reason: "\(path) is not a file")
        }
        do {
            let database = try Database(.file(path))
            // Also a file whose making was cut short.
            let isNew = try database.isEmpty
            guard try isNew || database.isOurs else {
                throw WorldError.unreadable(name, reason: Self.foreign)
            }
            if isNew { try database.restore(image.database) }
            try database.migrate(loader.migrations)
            if !isNew { try check(database) }
            let world = try World(
                core(
                    name, database, Self.settings(of: database, name), MemoTable(), Self.faults(of: database),
                    database.upstreams(), database.calls())
            )
            if isNew { try begin(world) }
            try database.write { try WorldSettings.countOpening(in: $0) }
            try forwardLeftovers(of: world)
            world.core.deliverLateMessages()
            if try hasScheduledWork(database) { world.core.attend() }
            return world
        } catch let error as SQLiteError {
            if let fault = error.storageFault {
                throw WorldError.storage(name, fault, "\(error.message), SQLite \(error.code)")
            }
            let reason = error.isLocked ? "another program has it open" : "\(error)"
            throw WorldError.unreadable(name, reason: reason)
        } catch let error as SchemaTooNew {
            throw WorldError.unreadable(name, reason: "\(error)")
        } catch is DecodingError {
            throw WorldError.unreadable(
                name, reason: "in \(path), table kit_setting, column value: expected JSON of another form")
        } catch let error as UnsoundTable {
            throw WorldError.unreadable(name, reason: "in \(path), \(error)")
        }
    }

    private static let foreign =
        "it is a database of another program; move it away, or give --data another folder"

    /// Starts clock and chance of a new or reset world.
    func begin(_ world: World, _ order: WorldOrder, clock: WorldClock.Setting, seed: UInt64?) throws {
        world.clock.follow(clock)
        world.streams.restart(seed: seed)
        world.journal.clear()
        if order.now != nil || order.isFrozen != nil {
            try world.clock.set(now: order.now, frozen: order.isFrozen)
        }
    }

    /// What the world's database says of it.
    static func settings(of database: Database, _ name: String) throws -> WorldSettings {
        guard let kept = try database.read({ try WorldSettings.read(from: $0) }) else {
            throw WorldError.unreadable(name, reason: "it has no settings")
        }
        return kept
    }

    static func faults(of database: Database) throws -> [FaultRule] {
        try database.read { try $0.all(FaultRule.self) }
    }

    private func core(
        _ name: String, _ database: Database, _ kept: WorldSettings, _ memo: MemoTable, _ faults: [FaultRule],
        _ upstreams: [String: Upstream]?, _ calls: CallsFixture?
    ) -> WorldCore {
        let clock = WorldClock(kept.clock, real: settings.realTime) { setting in
            try database.write { try WorldSettings.keep(setting, in: $0) }
        }
        return WorldCore(
            name: name, database: database, clock: clock,
            streams: EntropyStreams(seed: kept.seed, openings: kept.openings),
            keys: KeyStore(database: database, cache: keys), memo: memo, faults: faults,
            upstreams: UpstreamBook(upstreams, settings.upstreams), calls: calls, waits: settings.waits,
            trust: settings.certificates.map { .certificates(pem: $0) } ?? .system,
            journal: Journal(budget: settings.journals, room: settings.journalRoom),
            outboxes: settings.dataFolder == nil ? settings.outboxes : nil,
            issued: settings.issued,
            attend: { [attend = settings.duties?.attend] in attend?(name) },
            forward: { [forwarder = settings.forwarder, pushed = settings.pushed] mail, journal in
                if mail.sent.message.channel == .push { pushed(name, mail.sent.message) }
                Self.forward(mail, by: forwarder, database, journal)
            })
    }

    /// Mails that an earlier program did not get rid of.
    private func forwardLeftovers(of world: World) throws {
        guard settings.forwarder != nil else { return }
        for mail in try world.outbox.unforwarded() {
            Self.forward(mail, by: settings.forwarder, world.database, world.journal)
        }
    }

    private static func forward(
        _ mail: Letter, by forwarder: MailForwarder?, _ database: Database, _ journal: Journal
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
