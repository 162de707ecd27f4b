import Dispatch
import Essentials
import SQLite
import Synchronization
import TestKit
import Testing

@testable import PlatformKit

/// What a change of a world keeps, and what it leads to.
struct TurnTests {
    private struct No: Refusal, Equatable {
        var explanation: String { "No." }
    }

    private let world: World

    init() throws { world = try TestBench(Acme.self).world }

    private func add(_ note: String, in db: Connection) throws {
        try db.execute("INSERT INTO acme_note (id, body, written_at) VALUES (\(note), '', 0)")
    }

    private var notes: [String] {
        get throws {
            try world.database.read { db in
                var names: [String] = []
                try db.each("SELECT id FROM acme_note ORDER BY rowid") { names.append(try $0.text("id")) }
                return names
            }
        }
    }

    private var events: [String] { world.journal.entries().compactMap(\.event).reversed() }

    private var mail: Message {
        let ada = Message.Address("ada@example.com")
        return Message(kind: "", from: ada, to: ada, subject: "Hello", text: "", source: "acme")
    }

    @Test func `time never runs backwards from one turn of a world to the next`() throws {
        let reads = Atomic(0)
        var settings = Worlds.Settings(builtInFixtures: try TestKeys.fixtures(for: Acme.name))
        settings.realTime = {
            Date(timeIntervalSince1970: Double(reads.add(1, ordering: .relaxed).newValue))
        }
        let worlds = try Worlds(
            sections: [Acme.self], fixtures: FixtureSet(text: Array("{}".utf8), file: "none"),
            settings: settings)
        let world = try #require(try worlds.world(Worlds.defaultName))
        let moments = Mutex<[Date]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 1...300 {
                do {
                    try world.change { turn in moments.withLock { $0.append(turn.now) } }
                } catch {
                    Issue.record(error)
                }
            }
        }
        let all = moments.withLock { $0 }
        #expect(all.count == 1200)
        #expect(all == all.sorted())
    }

    @Test func `what a turn wrote and told is there after it`() throws {
        let rung = Mutex(0)
        let stop = world.services.changes.listen { rung.withLock { $0 += 1 } }
        defer { stop() }
        let value = try world.change { turn in
            try add("one", in: turn.db)
            turn.note("one added", about: "one", "One was added.")
            try turn.send(mail)
            turn.ring()
            #expect(turn.now == world.services.clock.now())
            #expect(events.isEmpty && rung.withLock { $0 } == 0, "before the commit nobody hears of it")
            return 7
        }

        #expect(value == 7)
        #expect(try notes == ["one"])
        #expect(events == ["one added"])
        #expect(try world.outbox.messages(OutboxStore.Query()).map(\.message.subject) == ["Hello"])
        #expect(rung.withLock { $0 } == 1)
    }

    @Test func `a refusal takes back everything and tells nothing`() throws {
        #expect(throws: No()) {
            try world.change { turn in
                try add("one", in: turn.db)
                turn.note("one added", "One was added.")
                try turn.send(mail)
                throw No()
            }
        }
        #expect(try notes == [])
        #expect(events.isEmpty)
        #expect(try world.outbox.messages(OutboxStore.Query()).isEmpty)
    }

    @Test func `what a refusal keeps is kept alone`() throws {
        #expect(throws: No()) {
            try world.change { turn in
                try add("one", in: turn.db)
                turn.note("one added", "One was added.")
                throw turn.kept(No()) { turn in
                    try add("failure", in: turn.db)
                    turn.note("failure counted", "A failure was counted.")
                }
            }
        }
        #expect(try notes == ["failure"])
        #expect(events == ["failure counted"])
    }

    @Test func `nothing is kept when keeping fails`() throws {
        #expect(throws: SQLiteError.self) {
            try world.change { turn in
                throw turn.kept(No()) { turn in
                    try add("failure", in: turn.db)
                    try add("failure", in: turn.db)
                }
            }
        }
        #expect(try notes == [])
    }

    @Test(arguments: [true, false])
    func `what is derived during a turn is forgotten after it, however it ends`(ends: Bool) throws {
        let memo = world.services.memo
        #expect(memo.value("acme.count") { 0 } == 0)
        #expect(memo.value("other") { 0 } == 0)
        _ = try? world.change { turn in
            try add("one", in: turn.db)
            turn.forget("acme.")
            #expect(memo.value("acme.count") { 1 } == 1)
            if !ends { throw No() }
        }
        #expect(memo.value("acme.count") { 2 } == 2)
        #expect(memo.value("other") { 2 } == 0)
    }

    @Test func `a ring is about the topics of the whole turn`() throws {
        let heard = Mutex<[String]>([])
        let stops = ["a", "b", "c"].map { topic in
            world.services.changes.listen(about: topic) { heard.withLock { $0.append(topic) } }
        }
        defer { for stop in stops { stop() } }
        try world.change { turn in
            turn.ring(about: ["a"])
            turn.ring(about: ["b"])
        }
        #expect(heard.withLock { $0.sorted() } == ["a", "b"])
        try world.change { turn in
            turn.ring(about: ["a"])
            turn.ring()
        }
        #expect(heard.withLock { $0.count } == 5)
    }
}

/// What the journal hears of the things that a turn touches.
struct TracedTurnTests {
    /// A note of Acme's, which requests are about.
    private struct Note: Traced {
        static let table: Table = "acme_note"
        let id: String
        var body: String
        var written: Date

        enum CodingKeys: String, CodingKey {
            case id, body
            case written = "written_at"
        }

        var subjects: [Subject] { [Subject(.transaction, id)] }
    }

    private struct No: Refusal {
        var explanation: String { "No." }
    }

    private let world: World

    init() throws { world = try TestBench(Acme.self).world }

    private func touched(_ body: (Turn) throws -> Void) throws -> [Subject] {
        let world = world.serving("r", platform: "acme", .none, for: .app)
        do { try world.change(body) } catch is No {}
        return try #require(world.remark).all.subjects
    }

    @Test
    func `a request is about the records that its turns make, read alone, change and delete, each once`()
        throws
    {
        let (one, two) = (Subject(.transaction, "one"), Subject(.transaction, "two"))
        let note = Note(id: "one", body: "", written: Date(timeIntervalSince1970: 0))
        #expect(
            try touched { turn in
                try turn.insert(note)
                try turn.insert(Note(id: "two", body: "", written: note.written))
            } == [one, two])
        #expect(try touched { _ = try $0.first(Note.self, where: "id = 'two'") } == [two])
        #expect(try touched { _ = try $0.first(Note.self, where: "id = 'three'") } == [])
        #expect(try touched { _ = try $0.all(Note.self) } == [], "a list is not what it is about")
        #expect(try touched { try $0.update(note, .body) } == [one])
        #expect(try touched { try $0.delete(note) } == [one])
    }

    @Test func `also when the turn is taken back`() throws {
        let note = Note(id: "one", body: "", written: Date(timeIntervalSince1970: 0))
        let touched = try touched { turn in
            try turn.insert(note)
            throw No()
        }
        #expect(touched == note.subjects)
    }

    @Test func `outside of a request the events of the turn are about them`() throws {
        try world.change { turn in
            turn.concern([Subject(.operation, "o-1")])
            turn.note("approved", about: "ada", "Ada approved it.")
        }
        let event = try #require(world.journal.entries().first)
        #expect(event.subjects == [Subject(.operation, "o-1")] && event.subject == "ada")
    }

    @Test func `a request tells which messages it sent`() throws {
        let ada = Message.Address("ada@example.com")
        let world = world.serving("r", platform: "acme", .none, for: .app)
        try world.change { turn in
            try turn.send(Message(kind: "", from: ada, to: ada, subject: "Hello", text: "", source: "acme"))
        }
        let sent = Departure(.mail, to: "ada@example.com", title: "Hello", message: 1)
        #expect(world.remark?.all.departures == [sent])
    }

    /// Source: sqlite.org, “Temporary Files Used By SQLite”, §2.1 to §2.3.
    @Test func `a data file leaves nothing behind that the next of its name would take for its own`() throws {
        let folder =
            FileManager.default.temporaryDirectory.path
            + "/understudy-world-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for suffix in ["", "-journal", "-wal", "-shm"] {
            try Data("x".utf8).write(to: URL(filePath: folder + "/blue.sqlite" + suffix))
        }
        try Data("x".utf8).write(to: URL(filePath: folder + "/blues.sqlite-journal"))

        try WorldFile(path: folder + "/blue.sqlite").remove()

        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["blues.sqlite-journal"])
        #expect(throws: Never.self, "a second time there is nothing to do") {
            try WorldFile(path: folder + "/blue.sqlite").remove()
        }
    }
}
