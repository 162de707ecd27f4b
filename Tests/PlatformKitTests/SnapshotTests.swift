import Essentials
import SQLite
import TestKit
import Testing

@testable import PlatformKit

@Suite struct SnapshotTests {
    private let time = ManualTime()

    private func make(in folder: String? = nil) throws -> Worlds {
        var settings = Worlds.Settings(builtInFixtures: try TestKeys.fixtures(for: "acme"))
        settings.realTime = { [time] in time.now }
        settings.dataFolder = folder
        settings.seed = 7
        return try Worlds(
            sections: [Acme.self], fixtures: FixtureSet(text: Array("{}".utf8), file: "f"),
            settings: settings)
    }

    private func world(_ name: String = "default", of worlds: Worlds) throws -> World {
        try #require(try worlds.world(name))
    }

    private func notes(_ world: World) throws -> [String] {
        try world.database.read { try Acme.export(from: $0) }.notes?.map(\.body) ?? []
    }

    private func add(_ id: String, to world: World) throws {
        try world.database.write { try $0.execute("INSERT INTO acme_note VALUES (\(id), \(id), 0)") }
    }

    private func send(to world: World) throws {
        try world.services.outbox.deliver(
            Message(
                kind: "passcode", from: .init("a@example.com"), to: .init("b@example.com"), subject: "s",
                text: "t",
                code: "1", source: "acme"))
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "understudy-snapshots-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test(arguments: [false, true])
    func `a world goes back to its snapshot, whole, and the journal tells what came after`(inFiles: Bool)
        throws
    {
        try withFolder { folder in
            let worlds = try make(in: inFiles ? folder : nil)
            let world = try world(of: worlds)
            try add("one", to: world)
            try send(to: world)
            try world.clock.advance(seconds: 60)
            let (then, snapshot) = (world.clock.now, try worlds.takeSnapshot("moment", of: "default"))
            #expect(snapshot.takenAt == then)
            let drawn = world.services.entropy.uuid(for: "x")

            try add("two", to: world)
            try send(to: world)
            time.advance(seconds: 600)
            try world.clock.set(now: nil, frozen: true)
            world.services.journal.event("later", "Something happened.")
            try worlds.restore("moment", in: "default", keepsClock: false)

            #expect(try notes(world) == ["one"])
            #expect(try world.outbox.messages(.init()).count == 1)
            #expect(world.clock.now == then && !world.clock.isFrozen)
            time.advance(seconds: 5)
            #expect(world.clock.now == then.addingTimeInterval(5), "the clock goes on from there")
            #expect(world.services.entropy.uuid(for: "x") == drawn, "chance goes on from there")
            #expect(world.journal.entries().map(\.event) == ["later"])

            try worlds.restore("moment", in: "default", keepsClock: true)
            #expect(world.clock.now == then.addingTimeInterval(5))
            try worlds.reset("default")
            #expect(try notes(world) == [])
        }
    }

    @Test func `a frozen clock stands still again where it stood`() throws {
        let worlds = try make()
        let world = try world(of: worlds)
        try world.clock.set(now: Date(timeIntervalSince1970: 5_000), frozen: true)
        _ = try worlds.takeSnapshot("still", of: "default")
        try world.clock.release()
        try worlds.restore("still", in: "default", keepsClock: false)
        time.advance(seconds: 9)
        #expect(world.clock.now == Date(timeIntervalSince1970: 5_000) && world.clock.isFrozen)
    }

    @Test(arguments: [false, true])
    func `a world begins with another's snapshot, goes back to it when it is reset, and shares nothing`(
        inFiles: Bool
    ) throws {
        try withFolder { folder in
            let worlds = try make(in: inFiles ? folder : nil)
            let first = try world(of: worlds)
            try add("one", to: first)
            _ = try worlds.takeSnapshot("base", of: "default")
            try add("two", to: first)
            var order = WorldOrder()
            order.name = "blue"
            order.origin = .init(world: "default", snapshot: "base")
            _ = try worlds.create(order)
            let blue = try world("blue", of: worlds)
            #expect(try notes(blue) == ["one"])
            #expect(blue.services.entropy.uuid(for: "x") == first.services.entropy.uuid(for: "x"))
            try add("three", to: blue)
            #expect(try notes(first) == ["one", "two"])
            try worlds.deleteSnapshot("base", of: "default")
            try worlds.reset("blue")
            #expect(try notes(blue) == ["one"])
        }
    }

    @Test func `what is not there, has no name or stands there already is refused`() throws {
        let worlds = try make()
        _ = try worlds.takeSnapshot("one", of: "default")
        #expect(throws: WorldError.snapshotNameTaken("one")) { try worlds.takeSnapshot("one", of: "default") }
        #expect(throws: WorldError.snapshotNameMalformed("../x")) {
            try worlds.takeSnapshot("../x", of: "default")
        }
        let unknown = WorldError.snapshotUnknown("two", world: "default", existing: ["one"])
        #expect(throws: unknown) { try worlds.restore("two", in: "default", keepsClock: false) }
        #expect(throws: unknown) { try worlds.deleteSnapshot("two", of: "default") }
        #expect(throws: unknown) { try worlds.exportSnapshot("two", of: "default") }
        #expect(throws: WorldError.unknown("none", existing: ["default"])) {
            try worlds.snapshots(of: "none")
        }
        #expect(try worlds.takeSnapshot(nil, of: "default").name == "snapshot-1")
        for _ in 2..<SnapshotList.limit { _ = try worlds.takeSnapshot(nil, of: "default") }
        #expect(throws: WorldError.tooManySnapshots(limit: 100)) {
            try worlds.takeSnapshot(nil, of: "default")
        }
        try worlds.deleteSnapshot("snapshot-7", of: "default")
        #expect(try worlds.takeSnapshot(nil, of: "default").name == "snapshot-7")
    }

    @Test func `snapshots of a world in a file outlive the program, and go with their world`() throws {
        try withFolder { folder in
            var order = WorldOrder()
            order.name = "kept"
            do {
                let worlds = try make(in: folder)
                _ = try worlds.create(order)
                try add("one", to: world("kept", of: worlds))
                _ = try worlds.takeSnapshot("moment", of: "kept")
                try add("two", to: world("kept", of: worlds))
            }

            let later = try make(in: folder)
            #expect(later.names == ["default", "kept"])
            #expect(try later.snapshots(of: "kept").snapshots.map(\.name) == ["moment"])
            try later.restore("moment", in: "kept", keepsClock: false)
            #expect(try notes(world("kept", of: later)) == ["one"])

            try later.delete("kept")
            _ = try later.create(order)
            #expect(try later.snapshots(of: "kept").snapshots.isEmpty)
        }
    }

    @Test func `what stands among the snapshots and is none is listed with the reason, and can be deleted`()
        throws
    {
        try withFolder { folder in
            let worlds = try make(in: folder)
            var order = WorldOrder()
            order.name = "kept"
            _ = try worlds.create(order)
            _ = try worlds.takeSnapshot("moment", of: "kept")
            let place = folder + "/snapshots/kept/"
            try Data("no database".utf8).write(to: URL(filePath: place + "torn.sqlite"))
            try FileManager.default.createDirectory(
                atPath: place + "drawer.sqlite", withIntermediateDirectories: true)

            let list = try worlds.snapshots(of: "kept")
            #expect(list.snapshots.map(\.name) == ["moment"])
            #expect(list.damaged.map(\.name) == ["drawer", "torn"])
            #expect(list.damaged.map(\.reason).first == place + "drawer.sqlite is not a file")
            #expect(throws: WorldError.self) { try worlds.restore("torn", in: "kept", keepsClock: false) }
            try worlds.deleteSnapshot("torn", of: "kept")
            #expect(try worlds.snapshots(of: "kept").damaged.map(\.name) == ["drawer"])
        }
    }

    @Test func `a file takes a snapshot to another program`() throws {
        let worlds = try make()
        try add("one", to: world(of: worlds))
        _ = try worlds.takeSnapshot("moment", of: "default")
        let drawn = try world(of: worlds).services.entropy.uuid(for: "x")
        let file = try worlds.exportSnapshot("moment", of: "default")
        #expect(String(decoding: file.prefix(15), as: UTF8.self) == "SQLite format 3")

        let other = try make()
        #expect(try other.importSnapshot(file, as: nil, into: "default").name == "moment")
        #expect(try other.importSnapshot(file, as: "copy", into: "default").name == "copy")
        try other.restore("copy", in: "default", keepsClock: false)
        #expect(try notes(world(of: other)) == ["one"])
        #expect(try world(of: other).services.entropy.uuid(for: "x") == drawn)
        #expect(throws: WorldError.snapshotNameTaken("copy")) {
            try other.importSnapshot(file, as: "copy", into: "default")
        }
    }

    @Test func `a file that is no snapshot is refused, and nothing is changed`() throws {
        let worlds = try make()
        _ = try worlds.takeSnapshot("moment", of: "default")
        let file = try worlds.exportSnapshot("moment", of: "default")
        var damaged = file
        // The root page of the tables' definitions.
        for place in 110..<400 { damaged[place] ^= 0x55 }
        let foreign = try Database(.memory)
        try foreign.write { try $0.execute("CREATE TABLE other (id TEXT)") }
        let plain = try Database(.image(worlds.content))
        let armed = try Database(.memory)
        try armed.restore(DatabaseImage(bytes: file))
        try armed.write { db in
            try db.execute(
                "CREATE TRIGGER evil AFTER INSERT ON acme_note BEGIN DELETE FROM acme_note; END")
        }
        for bytes in [
            [], Array("hello".utf8), Array(file.prefix(5000)), damaged, try foreign.image().bytes,
            try plain.image().bytes, try armed.image().bytes,
        ] {
            let error = #expect(throws: WorldError.self) {
                try worlds.importSnapshot(bytes, as: "x", into: "default")
            }
            #expect(error?.explanation.hasPrefix("The snapshot cannot be used: ") == true)
        }
        #expect(try worlds.snapshots(of: "default").snapshots.map(\.name) == ["moment"])
    }

    /// A snapshot of a world with a note and a mail, after the statement.
    private func file(after change: SQL) throws -> [UInt8] {
        let worlds = try make()
        try add("one", to: world(of: worlds))
        try send(to: world(of: worlds))
        _ = try worlds.takeSnapshot("moment", of: "default")
        let database = try Database(
            .image(DatabaseImage(bytes: worlds.exportSnapshot("moment", of: "default"))))
        try database.write { try $0.execute(change) }
        return try database.image().bytes
    }

    @Test(
        arguments: [
            ("UPDATE acme_note SET written_at = \(Int64.max)", "acme_note, column written_at"),
            ("UPDATE kit_message SET sent_at = \(Int64(253_402_300_800_000))", "kit_message, column sent_at"),
            ("UPDATE kit_message SET sent_at = -1", "kit_message, column sent_at"),
            ("UPDATE kit_message SET through = -1", "kit_message, column through"),
            ("UPDATE kit_message SET subject = CAST(x'ff' AS TEXT)", "kit_message, column subject"),
            ("UPDATE kit_world SET clock_offset = 1e300", "kit_world, column clock_offset"),
            ("UPDATE kit_setting SET value = '{'", "kit_setting, column value"),
            ("UPDATE sqlite_sequence SET seq = \(Int64.max)", "sqlite_sequence, column seq"),
            ("UPDATE sqlite_sequence SET seq = 'many'", "sqlite_sequence, column seq"),
            ("UPDATE schema_step SET applied = \(Int64.min)", "schema_step, column applied"),
            ("DROP TABLE acme_note", "acme_note, the table acme_note is missing"),
            ("DROP INDEX kit_message_by_code", "kit_message, the index kit_message_by_code is missing"),
            ("ALTER TABLE acme_note ADD COLUMN more TEXT", "acme_note, the table acme_note is not as"),
            ("CREATE TABLE more (id TEXT)", "more, the table more is none"),
        ] as [(SQL, String)])
    func `a file that no world can have written is refused with table and column`(
        change: SQL, place: String
    ) throws {
        let worlds = try make()
        let error = #expect(throws: WorldError.self) {
            try worlds.importSnapshot(file(after: change), as: "x", into: "default")
        }
        #expect(
            error?.explanation.hasPrefix("The snapshot cannot be used: table \(place)") == true,
            "\(error?.explanation ?? "")")
        #expect(try worlds.snapshots(of: "default").snapshots.isEmpty)
    }

    @Test func `texts in UTF-16 are refused`() throws {
        let strange = try Database(.memory)
        try strange.write { db in
            try db.execute("PRAGMA encoding = 'UTF-16le'")
            try db.execute(
                "CREATE TABLE schema_step (name TEXT PRIMARY KEY, applied INTEGER NOT NULL) STRICT, WITHOUT ROWID"
            )
        }
        #expect(try strange.read { try $0.value(String.self, "PRAGMA encoding") } == "UTF-16le")
        let error = #expect(throws: WorldError.self) {
            try make().importSnapshot(strange.image().bytes, as: "x", into: "default")
        }
        #expect(error?.explanation.contains("UTF-16") == true, "\(error?.explanation ?? "")")
    }

    @Test func `a damaged file of a world says file, table and column; other worlds live on`() throws {
        try withFolder { folder in
            var order = WorldOrder()
            order.name = "kept"
            do { _ = try make(in: folder).create(order) }
            let path = folder + "/kept.sqlite"
            do {
                let database = try Database(.file(path))
                try database.write { try $0.execute("UPDATE kit_world SET openings = \(Int64.max)") }
            }
            let worlds = try make(in: folder)
            let error = #expect(throws: WorldError.self) { try worlds.world("kept") }
            #expect(error?.explanation.contains("in \(path), table kit_world, column openings: ") == true)
            #expect(try world(of: worlds).name == "default")
        }
    }

    @Test func `a world whose numbers are spent is used and exported past every check`() throws {
        let worlds = try make()
        let world = try world(of: worlds)
        try send(to: world)
        try world.database.write { db in
            try db.execute("UPDATE kit_message SET through = \(Int64.max), sent_at = \(Int64.min)")
            try db.execute("UPDATE kit_world SET openings = \(Int64.max)")
            try WorldSettings.countOpening(in: db)
            db.forgetReads()
        }
        try send(to: world)
        #expect(try world.outbox.messages(.init()).map(\.sentAt).min() == Date(timeIntervalSince1970: 0))
    }
}
