import Essentials
import HTTP
import SQLite
import Synchronization
import TestKit
import Testing

@testable import PlatformKit

@Suite struct WorldsTests {
    private static let fixtures = """
        {"acme": {"notes": [{"id": "one", "body": "first"}]}}
        """

    private func make(
        _ fixtures: String = fixtures, _ change: (inout Worlds.Settings) -> Void = { _ in }
    ) throws -> Worlds {
        var settings = Worlds.Settings(builtInFixtures: try TestKeys.fixtures(for: "acme"))
        change(&settings)
        return try Worlds(
            sections: [Acme.self], fixtures: FixtureSet(text: Array(fixtures.utf8), file: "f"),
            settings: settings)
    }

    private func notes(_ world: World) throws -> [String] {
        try world.database.read { try Acme.export(from: $0) }.notes?.map(\.body) ?? []
    }

    private func add(_ id: String, to world: World) throws {
        try world.database.write { try $0.execute("INSERT INTO acme_note VALUES (\(id), \(id), 0)") }
    }

    private func world(_ name: String, of worlds: Worlds) throws -> World {
        try #require(try worlds.world(name))
    }

    @Test func `a new world has the fixtures and shares nothing with others`() throws {
        let worlds = try make()
        let name = try worlds.create(WorldOrder())
        let mine = try world(name, of: worlds)

        try add("two", to: mine)

        #expect(try notes(mine) == ["first", "two"])
        #expect(try notes(world("default", of: worlds)) == ["first"])
    }

    @Test(arguments: ["", "Blue", "a b", "a/b", "..", String(repeating: "a", count: 41), "\u{E9}"])
    func `a name that is no name is refused`(_ name: String) throws {
        let worlds = try make()
        var order = WorldOrder()
        order.name = name
        #expect(throws: WorldError.nameMalformed(name)) { try worlds.create(order) }
    }

    @Test func `a name is given once`() throws {
        let worlds = try make()
        var order = WorldOrder()
        order.name = "blue"
        #expect(try worlds.create(order) == "blue")
        #expect(throws: WorldError.nameTaken("blue")) { try worlds.create(order) }
    }

    @Test func `nobody waits in a world that is first used when the program ends`() throws {
        let worlds = try make()
        worlds.close()
        let world = try world("default", of: worlds)
        let start = ContinuousClock.now
        #expect(
            try world.outbox.occasion(OutboxStore.Query()).first(within: 30) {
                try world.outbox.newest(OutboxStore.Query())
            } == nil)
        #expect(start.duration(to: .now) < .seconds(20))
    }

    @Test func `an outbox keeps the newest messages, and numbers go on`() throws {
        let world = try world("default", of: make())
        let outbox = OutboxStore(database: world.database, bell: Bell(), limit: 3)
        let ada = Message.Address("ada@example.com")
        for number in 1...5 {
            let message = Message(
                kind: "", from: ada, to: ada, subject: "\(number)", text: "", source: "acme")
            _ = try world.database.write { db in
                try outbox.insert(message, at: ManualTime.start, token: "t\(number)", in: db)
            }
        }
        #expect(try outbox.messages(OutboxStore.Query()).map(\.id) == [5, 4, 3])
    }

    @Test func `an outbox keeps so many bytes of sources, and the newest message whatever its size`() throws {
        let world = try world("default", of: make())
        let outbox = OutboxStore(database: world.database, bell: Bell(), byteLimit: 100)
        let ada = Message.Address("ada@example.com")
        for size in [40, 40, 20, 30, 200] {
            let message = Message(kind: "", from: ada, to: ada, subject: "\(size)", text: "", source: "smtp")
            _ = try world.database.write { db in
                try outbox.insert(
                    message, raw: [UInt8](repeating: 0xFF, count: size), at: ManualTime.start, in: db)
            }
            if size == 30 { #expect(try outbox.messages(OutboxStore.Query()).map(\.id) == [4, 3, 2]) }
        }
        #expect(try outbox.messages(OutboxStore.Query()).map(\.id) == [5])
        #expect(try outbox.letter(5)?.raw == [UInt8](repeating: 0xFF, count: 200))
    }

    @Test func `a deleted world is gone, the default one stays`() throws {
        let worlds = try make()
        let name = try worlds.create(WorldOrder())
        try worlds.delete(name)
        #expect(try worlds.world(name) == nil)
        #expect(throws: WorldError.unknown(name, existing: ["default"])) { try worlds.delete(name) }
        #expect(throws: WorldError.indispensable("default")) { try worlds.delete("default") }
    }

    @Test func `fixtures that come again are the same image, and each world is its own all the same`() throws
    {
        let keeper = WorldKeeper(
            sections: [Acme.self], settings: .init(builtInFixtures: try TestKeys.fixtures(for: "acme")))
        func image(_ text: String) throws -> WorldImage {
            try keeper.image(of: FixtureSet(text: Array(text.utf8), file: "f"))
        }
        let first = try image(Self.fixtures)
        #expect(try image(Self.fixtures) === first)
        #expect(try image("{}") !== first)

        let worlds = try make()
        let world = try world("default", of: worlds)
        for _ in 1...3 {
            try add("two", to: world)
            try worlds.load(FixtureSet(text: Array(Self.fixtures.utf8), file: "f"), into: world)
            #expect(try notes(world) == ["first"])
        }
    }

    @Test func `the memory of many worlds that were deleted is given back`() throws {
        let calls = CallCounter()
        let worlds = try make { $0.giveBackMemory = { calls.add() } }
        for _ in 0..<399 { try worlds.delete(worlds.create(WorldOrder())) }
        #expect(calls.count == 1)
        try worlds.delete(worlds.create(WorldOrder()))
        #expect(calls.count == 2)
    }

    @Test func `a reset world is as it began, clock and mail and journal included`() throws {
        let worlds = try make()
        let world = try world("default", of: worlds)
        try add("two", to: world)
        try world.clock.advance(seconds: 3600)
        world.services.journal.event("x", "y")

        try worlds.reset("default")

        #expect(try notes(world) == ["first"])
        #expect(world.clock.current == WorldClock.Setting())
        #expect(world.journal.entries().isEmpty)
    }

    @Test func `a world with its own fixtures, clock and seed keeps them over a reset`() throws {
        let worlds = try make()
        var order = WorldOrder()
        order.name = "own"
        order.fixtures = try FixtureSet(
            text: Array(#"{"acme":{"notes":[{"id":"a","body":"own"}]}}"#.utf8), file: "o")
        order.now = Date(timeIntervalSince1970: 1_000_000)
        order.isFrozen = true
        order.seed = 7
        let name = try worlds.create(order)
        let first = try world(name, of: worlds)
        let drawn = first.services.entropy.digits(6, for: "t")
        try add("b", to: first)

        try worlds.reset(name)

        let again = try world(name, of: worlds)
        #expect(try notes(again) == ["own"])
        #expect(again.clock.now == Date(timeIntervalSince1970: 1_000_000))
        #expect(again.services.entropy.digits(6, for: "t") == drawn)
    }

    @Test func `the same seed tells the same story in any world, another seed another`() throws {
        let worlds = try make { $0.seed = 5 }
        let first = try world(worlds.create(WorldOrder()), of: worlds)
        let second = try world(worlds.create(WorldOrder()), of: worlds)
        #expect(first.services.entropy.uuid(for: "a") == second.services.entropy.uuid(for: "a"))
        var order = WorldOrder()
        order.seed = 6
        let third = try world(worlds.create(order), of: worlds)
        #expect(first.services.entropy.uuid(for: "b") != third.services.entropy.uuid(for: "b"))
    }

    @Test func `an idle world in memory is dropped, a used or watched one is not`() throws {
        let time = ManualTime()
        let worlds = try make { $0.realTime = { time.now } }
        let idle = try worlds.create(WorldOrder())
        let used = try worlds.create(WorldOrder())
        let watched = try worlds.create(WorldOrder())
        let stop = try world(watched, of: worlds).journal.listen { _ in }

        time.advance(seconds: 3000)
        _ = try worlds.world(used)
        time.advance(seconds: 1000)
        _ = try worlds.world("default")

        #expect(worlds.names == ["default", used, watched].sorted())
        #expect(!worlds.names.contains(idle))
        stop()
    }

    @Test func `the default world stays the same one, and its use is noted`() throws {
        let time = ManualTime()
        let worlds = try make { $0.realTime = { time.now } }
        let idle = try worlds.create(WorldOrder())
        try add("two", to: world("default", of: worlds))

        for _ in 1...4000 {
            time.advance(seconds: 1)
            for _ in 1...2 { #expect(try worlds.world("default") != nil) }
        }

        let listed = try #require(worlds.list().first { $0.name == "default" })
        #expect(abs(listed.lastUsedAt.timeIntervalSince(time.now)) <= 1)
        #expect(!worlds.names.contains(idle))
        #expect(try notes(world("default", of: worlds)) == ["first", "two"])
        try worlds.reset("default")
        #expect(try notes(world("default", of: worlds)) == ["first"])
    }

    @Test func `the default world is found also after real time went back`() throws {
        let time = ManualTime()
        let worlds = try make { $0.realTime = { time.now } }
        for _ in 1...3 { _ = try world("default", of: worlds) }
        time.advance(seconds: -5000)
        _ = try world("default", of: worlds)
        #expect(worlds.list().first?.lastUsedAt == time.now)
    }

    @Test func `content that an older program made gets the tables that came since`() throws {
        let older = try Database(.memory)
        try older.migrate([("kit", KitSchema.migrations), ("acme", Array(Acme.migrations.dropLast()))])
        let worlds = try Worlds(
            sections: [Acme.self], content: DatabaseImage(bytes: older.image().bytes),
            settings: Worlds.Settings(builtInFixtures: try TestKeys.fixtures(for: "acme")))

        let world = try world("default", of: worlds)

        try add("one", to: world)
        #expect(try notes(world) == ["one"])
    }

    /// A folder that is gone after `body`.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "understudy-worlds-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func `a world in a file comes back with all it had`() throws {
        try withFolder { folder in
            let drawn = try fill(folder)

            let after = try make { $0.dataFolder = folder }

            #expect(after.names == ["default", "kept"])
            let again = try self.world("kept", of: after)
            #expect(try notes(again) == ["own", "two"])
            #expect(again.clock.now == Date(timeIntervalSince1970: 5_000))
            #expect(
                again.services.entropy.uuid(for: "x") != drawn, "a restart must not draw the same ids again")
            try after.reset("kept")
            #expect(try notes(again) == ["own"])
            try after.delete("kept")
            #expect(after.names == ["default"])
        }
    }

    @Test func `a folder among the data files is no world`() throws {
        try withFolder { folder in
            let inside = folder + "/blue.sqlite/inside"
            try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
            let worlds = try make { $0.dataFolder = folder }
            #expect(worlds.names == ["default"])
            #expect(throws: WorldError.unknown("blue", existing: ["default"])) { try worlds.delete("blue") }
            #expect(FileManager.default.fileExists(atPath: inside))
        }
    }

    @Test func `a client hears in words why a world cannot be used`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("junk".utf8).write(to: URL(filePath: folder + "/blue.sqlite"))
            let worlds = try make { $0.dataFolder = folder }
            let dispatcher = Dispatcher(worlds: worlds, platforms: [Acme.self], settings: .init())
            let response = dispatcher.respond(to: Request(.get, "/w/blue/acme/where"))
            #expect(response.status == .serviceUnavailable)
            let start = "The data file of the world “blue” cannot be used: "
            #expect(response.fields["detail"]?.hasPrefix(start) == true)
        }
    }

    /// Makes the world `kept`, uses it, and lets it go.
    private func fill(_ folder: String) throws -> String {
        let worlds = try make { $0.dataFolder = folder }
        var order = WorldOrder()
        order.name = "kept"
        order.fixtures = try FixtureSet(
            text: Array(#"{"acme":{"notes":[{"id":"a","body":"own"}]}}"#.utf8), file: "o")
        order.seed = 3
        let world = try world(worlds.create(order), of: worlds)
        try add("two", to: world)
        try world.clock.set(now: Date(timeIntervalSince1970: 5_000), frozen: true)
        return world.services.entropy.uuid(for: "x")
    }

    @Test func `a data folder that is in use is refused`() throws {
        try withFolder { folder in
            let first = try make { $0.dataFolder = folder }
            #expect(throws: WorldError.unreadable("default", reason: "another program has it open")) {
                try make { $0.dataFolder = folder }
            }
            #expect(try notes(world("default", of: first)) == ["first"])
        }
    }

    @Test func `a data file of a newer version is refused with a reason`() throws {
        try withFolder { folder in
            try pretendNewer(folder)
            let reason =
                "the database is newer than this program: its tables of acme are at step 999, the program knows 1"
            #expect(throws: WorldError.unreadable("default", reason: reason)) {
                try make { $0.dataFolder = folder }
            }
        }
    }

    private func pretendNewer(_ folder: String) throws {
        let worlds = try make { $0.dataFolder = folder }
        try world("default", of: worlds).database.write { db in
            try db.execute("UPDATE schema_step SET applied = 999 WHERE name = 'acme'")
        }
    }

    @Test func `a file that is no database is refused with a reason`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(repeating: 0x41, count: 5_000).write(to: URL(filePath: folder + "/default.sqlite"))
            let error = #expect(throws: WorldError.self) { try make { $0.dataFolder = folder } }
            #expect(error?.explanation.contains("file is not a database") == true)
        }
    }

    private static let other = #"{"acme":{"notes":[{"id":"z","body":"loaded"}]}}"#

    private func load(_ text: String, into world: World, of worlds: Worlds) throws {
        try worlds.load(FixtureSet(text: Array(text.utf8), file: "loaded"), into: world)
    }

    @Test func `fixtures loaded into a seeded world leave it its seed`() throws {
        let worlds = try make()
        var order = WorldOrder()
        order.seed = 7
        let first = try world(worlds.create(order), of: worlds)
        let second = try world(worlds.create(order), of: worlds)

        try load(Self.other, into: first, of: worlds)
        try load(Self.other, into: second, of: worlds)

        #expect(first.services.entropy.uuid(for: "x") == second.services.entropy.uuid(for: "x"))
    }

    @Test
    func
        `a world in a file is reset to what it began with, whatever was loaded and however often it was opened`()
        throws
    {
        try withFolder { folder in
            try fillAndLoad(folder)

            let worlds = try make { $0.dataFolder = folder }
            let again = try world("kept", of: worlds)
            #expect(try notes(again) == ["loaded"])
            try worlds.reset("kept")
            #expect(try notes(again) == ["own"])
            #expect(again.clock.now == Date(timeIntervalSince1970: 9_000))
            #expect(again.clock.isFrozen)
        }
    }

    /// Makes the world `kept` with fixtures and a clock of its own, loads others, and lets it go.
    private func fillAndLoad(_ folder: String) throws {
        let worlds = try make { $0.dataFolder = folder }
        var order = WorldOrder()
        order.name = "kept"
        order.fixtures = try FixtureSet(
            text: Array(#"{"acme":{"notes":[{"id":"a","body":"own"}]}}"#.utf8), file: "o")
        order.now = Date(timeIntervalSince1970: 9_000)
        order.isFrozen = true
        try load(Self.other, into: world(worlds.create(order), of: worlds), of: worlds)
    }

    @Test func `a faulty fixture changes nothing`() throws {
        let worlds = try make()
        let world = try world("default", of: worlds)
        try add("two", to: world)
        let faulty = try FixtureSet(
            text: Array(#"{"acme":{"notes":[{"id":"a","body":"x"},{"id":"b","body":"forbidden"}]}}"#.utf8),
            file: "bad")
        #expect(throws: FixtureError.self) { try worlds.load(faulty, into: world) }
        #expect(try notes(world) == ["first", "two"])
    }
}

private final class CallCounter: Sendable {
    private let calls = Atomic<Int>(0)
    var count: Int { calls.load(ordering: .relaxed) }

    func add() { calls.add(1, ordering: .relaxed) }
}
