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
        let ada = Message.Address("ada@example.test")
        return Message(kind: "", from: ada, to: ada, subject: "Hello", text: "", source: "acme")
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
