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

    private struct Order: Record, Equatable {
        static let table = Table("orders")

        var id: Int
        var parameters: [String: String]
    }

    private func stored(_ orders: [Order]) throws {
        try database.write { db in
            try db.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, parameters TEXT NOT NULL) STRICT")
            for order in orders { try db.insert(order) }
        }
    }

    @Test func `of rows that are read one at a time the longest is asked for alone`() throws {
        let note = String(repeating: "x", count: 1_000_000)
        try stored((1...5).map { Order(id: $0, parameters: ["note": note]) })
        let asked = try asked { db in
            let lengths = try db.all(Order.self, making: { $0.parameters["note"]?.count })
            #expect(lengths == Array(repeating: 1_000_000, count: 5))
        }
        #expect((3_000_000...4_000_000).contains(asked.reduce(0, +)), "\(asked)")
    }

    @Test func `JSON of many values takes more than one long text`() throws {
        let members = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("\($0)", "") })
        try stored([Order(id: 1, parameters: members)])
        let asked = try asked { db in
            let orders = try db.all(Order.self)
            #expect(orders.first?.parameters.count == 100_000)
        }
        #expect(asked.reduce(0, +) > 8_000_000, "\(asked)")
    }

    @Test func `JSON that is no UTF-8 is repaired`() throws {
        try stored([])
        try database.write { db in
            try db.execute("INSERT INTO orders VALUES (1, CAST(x'7B2261223A2262FF227D' AS TEXT))")
        }
        let orders = try database.read { try $0.all(Order.self) }
        #expect(orders.first?.parameters == ["a": "b\u{FFFD}"])
    }
}
