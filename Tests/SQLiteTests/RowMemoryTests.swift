import Synchronization
import Testing

@testable import SQLite

/// A long list asks for the memory of its rows while it is read.
struct RowMemoryTests {
    private struct Letter: Record, Equatable {
        static let table = Table("letter")

        var id: Int
        var text: String
    }

    private static let letter = String(repeating: "x", count: 300_000)
    private let database: Database

    init() throws {
        database = try Database(.memory)
        try database.write { db in
            try db.execute("CREATE TABLE letter (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
            for id in 1...8 { try db.insert(Letter(id: id, text: Self.letter)) }
        }
    }

    /// What was asked for while `body` ran.
    private func asked(most: Int = .max, _ body: (Connection) throws -> Void) throws -> [Int] {
        let asked = Mutex<[Int]>([])
        let memory = RowMemory { bytes, held in
            if bytes + held > most { throw Full.here }
            asked.withLock { $0.append(bytes) }
        }
        try RowMemory.$current.withValue(memory) { try database.read(body) }
        #expect(memory.held == asked.withLock { $0.reduce(0, +) })
        return asked.withLock(\.self)
    }

    private enum Full: Error { case here }

    @Test func `what is kept of a long list is asked for before the next row is read`() throws {
        let asked = try asked { db in
            let letters = try db.all(Letter.self)
            #expect(letters.count == 8)
        }
        #expect(asked.reduce(0, +) >= 7 * 300_000)
        #expect(asked.allSatisfy { $0 < 4 << 20 }, "piece by piece")
    }

    @Test func `a short list, rows that are looked at and a single one ask for nothing`() throws {
        let asked = try asked { db in
            let (first, ids) = (
                try db.all(Letter.self, where: "id = 1"), try db.all(Letter.self, making: { $0.id })
            )
            #expect(first.count == 1)
            #expect(ids == Array(1...8))
            let count = try db.value(Int.self, "SELECT count(*) FROM letter")
            #expect(count == 8)
        }
        #expect(asked.isEmpty)
    }

    @Test func `a refusal ends the list, and the statement is free for the next`() throws {
        #expect(throws: Full.here) { try asked(most: 3 << 20) { _ = try $0.all(Letter.self) } }
        let letters = try database.read { try $0.all(Letter.self) }
        #expect(letters.count == 8)
    }
}
