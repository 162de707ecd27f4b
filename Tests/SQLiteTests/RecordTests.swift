import Essentials
import Testing

@testable import SQLite

/// Everything that a property can be.
private struct Guest: Record, Equatable {
    static let table = Table("guest", limit: 3)

    enum Mood: String, Codable { case calm, cross }
    enum Floor: Int, Codable { case ground = 0, first = 1 }

    struct Bag: Codable, Equatable {
        var weight: Double
        var labels: [String]
    }

    var id: String
    var name: String?
    var nights = 1
    var isMember = false
    var bill = 0.5
    var arrivedAt = Date(timeIntervalSince1970: 1.25)
    var leftAt: Date?
    var key: [UInt8] = []
    var mood = Mood.calm
    var lastMood: Mood?
    var floor = Floor.ground
    var bag: Bag?
    var wishes: [String] = []

    enum CodingKeys: String, CodingKey {
        case id, name, nights, bill, key, mood, floor, bag, wishes
        case isMember = "is_member"
        case arrivedAt = "arrived_at"
        case leftAt = "left_at"
        case lastMood = "last_mood"
    }

    var derivedColumns: [DerivedColumn] { [DerivedColumn("shout", id.uppercased())] }

    static let schema: SQL = """
        CREATE TABLE guest (
            position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT, nights INTEGER NOT NULL,
            is_member INTEGER NOT NULL, bill REAL NOT NULL, arrived_at INTEGER NOT NULL, left_at INTEGER,
            key BLOB NOT NULL, mood TEXT NOT NULL, last_mood TEXT, floor INTEGER NOT NULL, bag TEXT,
            wishes TEXT NOT NULL, shout TEXT NOT NULL
        ) STRICT
        """
}

/// A pair names its row.
private struct Seat: Record, Equatable {
    static let table = Table("seat", key: "row", "number", order: "row, number")
    var row: String
    var number: Int
    var guest: String?
}

/// Not coded as properties.
private struct Scalar: Record {
    static let table: Table = "guest"
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("x")
    }
    enum CodingKeys: CodingKey {}
    init() {}
    init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer() }
}

@Suite struct RecordTests {
    private let database: Database

    init() throws {
        database = try Database(.memory)
        try database.write { db in
            try db.execute(Guest.schema)
            try db.execute(
                "CREATE TABLE seat (row TEXT NOT NULL, number INTEGER NOT NULL, guest TEXT, PRIMARY KEY (row, number)) STRICT, WITHOUT ROWID"
            )
        }
    }

    private var full: Guest {
        Guest(
            id: "ann", name: "Ann \"A\" Ä\u{0}", nights: -7, isMember: true, bill: 12.75,
            arrivedAt: Date(timeIntervalSince1970: 1_800_000_000.123),
            leftAt: Date(timeIntervalSince1970: 0), key: [0, 1, 255], mood: .cross, lastMood: .calm,
            floor: .first, bag: Guest.Bag(weight: 3.5, labels: ["a", "b"]), wishes: ["tea", "a “room”"])
    }

    @Test func `a record is read as it was written, with everything and with nothing in it`() throws {
        let written = [full, Guest(id: "bob")]
        try database.write { db in for guest in written { try db.insert(guest) } }

        #expect(try database.read { try $0.all(Guest.self) } == written)
        #expect(try database.read { try $0.first(Guest.self, where: "id = \("bob")") } == written[1])
        #expect(try database.read { try $0.first(Guest.self, where: "id = \("eve")") } == nil)
    }

    @Test func `columns hold plain values, raw values of enumerations, and JSON for the rest`() throws {
        let (full, bob) = (full, Guest(id: "bob"))
        try database.write { db in
            try db.insert(full)
            try db.insert(bob)
        }
        func text(_ sql: SQL) throws -> String? { try database.read { try $0.value(String.self, sql) } }

        #expect(
            try text("SELECT mood || '/' || last_mood || '/' || floor FROM guest WHERE id = 'ann'")
                == "cross/calm/1")
        #expect(
            try text("SELECT typeof(floor) || typeof(arrived_at) || typeof(key) FROM guest")
                == "integerintegerblob")
        #expect(try text("SELECT CAST(arrived_at AS TEXT) FROM guest WHERE id = 'ann'") == "1800000000123")
        #expect(try text("SELECT json_extract(bag, '$.labels[1]') FROM guest WHERE id = 'ann'") == "b")
        #expect(try text("SELECT json_extract(wishes, '$[1]') FROM guest WHERE id = 'ann'") == "a “room”")
        #expect(
            try text("SELECT typeof(name) || typeof(left_at) || typeof(bag) FROM guest WHERE id = 'bob'")
                == "nullnullnull")
        #expect(try text("SELECT shout FROM guest WHERE id = 'ann'") == "ANN")
    }

    @Test func `a word that the enumeration does not know is thrown and names its column`() throws {
        try database.write { db in
            try db.insert(Guest(id: "bob"))
            try db.execute("UPDATE guest SET mood = 'gone'")
        }
        #expect(throws: ColumnMismatch(column: "mood", expected: "a value of Mood", found: "gone")) {
            try database.read { try $0.all(Guest.self) }
        }
    }

    @Test func `a column that is missing or of another type is thrown`() throws {
        try database.write { db in try db.insert(Guest(id: "bob")) }
        #expect(throws: ColumnMismatch(column: "name", expected: "TEXT", found: "no such column")) {
            try database.read { try $0.all(Guest.self, "SELECT id, nights FROM guest") }
        }
        #expect(throws: ColumnMismatch(column: "nights", expected: "INTEGER", found: "TEXT")) {
            try database.read {
                try $0.all(Guest.self, "SELECT *, 'many' AS nights FROM (SELECT id, name FROM guest)")
            }
        }
        #expect(throws: DecodingError.self) {
            try database.write { db in
                try db.execute("UPDATE guest SET wishes = 'no JSON'")
                _ = try db.all(Guest.self)
            }
        }
    }

    @Test func `a table with a limit keeps the newest`() throws {
        let kept = try database.write { db in
            for name in ["a", "b", "c", "d", "e"] { try db.insert(Guest(id: name)) }
            return try db.all(Guest.self)
        }
        #expect(kept.map(\.id) == ["c", "d", "e"])
    }

    @Test func `saving replaces, updating changes one row, taking leaves nothing`() throws {
        try database.write { db in
            for number in 1...3 { try db.insert(Seat(row: "A", number: number)) }
            try db.save(Seat(row: "A", number: 2, guest: "ann"))
            try db.save(Seat(row: "B", number: 1, guest: "bob"))
            try db.update(Seat(row: "A", number: 3, guest: "eve"))
            try db.update(Seat(row: "C", number: 9, guest: "nobody"))
        }
        let seats = try database.read { try $0.all(Seat.self) }
        #expect(
            seats == [
                Seat(row: "A", number: 1), Seat(row: "A", number: 2, guest: "ann"),
                Seat(row: "A", number: 3, guest: "eve"), Seat(row: "B", number: 1, guest: "bob"),
            ])

        let page = try database.read { try $0.all(Seat.self, order: "number, row", limit: 2, offset: 1) }
        #expect(page.map(\.row) == ["B", "A"])
        #expect(page.map(\.number) == [1, 2])

        let taken = try database.write { try $0.take(Seat.self, where: "guest = \("ann")") }
        #expect(taken == Seat(row: "A", number: 2, guest: "ann"))
        #expect(try database.write { try $0.take(Seat.self, where: "guest = \("ann")") } == nil)
        try database.write { try $0.delete(Seat(row: "A", number: 1)) }
        try database.write { try $0.delete(Seat.self, where: "guest = \("bob")") }
        #expect(try database.read { try $0.all(Seat.self) } == [Seat(row: "A", number: 3, guest: "eve")])
        #expect(try database.read { try $0.count(Seat.self, where: "row = 'A'") } == 1)
        #expect(try database.read { try $0.exists(Seat.self, where: "row = 'B'") } == false)
    }

    @Test func `a few columns are written, and the others left as they are`() throws {
        let kept = try database.write { db in
            try db.insert(Guest(id: "ann", name: "Ann", bill: 9.5))
            // What somebody else wrote meanwhile stays.
            try db.update(Guest(id: "ann", name: "Anna", nights: 3, leftAt: nil), .name)
            try db.update(
                Guest(id: "ann", nights: 4, leftAt: Date(timeIntervalSince1970: 9)), .leftAt, .nights)
            try db.update(Guest(id: "eve", name: "nobody"), .name)
            return try db.all(Guest.self)
        }
        #expect(
            kept == [
                Guest(id: "ann", name: "Anna", nights: 4, bill: 9.5, leftAt: Date(timeIntervalSince1970: 9))
            ]
        )
        #expect(try database.read { try $0.value(String.self, "SELECT shout FROM guest") } == "ANN")
    }

    @Test func `a key that is taken is refused`() throws {
        try database.write { try $0.insert(Guest(id: "ann")) }
        do {
            try database.write { try $0.insert(Guest(id: "ann")) }
            Issue.record("the second one was taken")
        } catch let error as SQLiteError {
            #expect(error.isUniqueViolation)
        }
    }

    @Test func `lists come in the order asked for`() throws {
        try database.write { db in
            for (name, nights) in [("a", 2), ("b", 3), ("c", 1)] {
                try db.insert(Guest(id: name, nights: nights))
            }
        }
        let found = try database.read { try $0.all(Guest.self, where: "nights > \(1)", order: "nights DESC") }
        #expect(found.map(\.id) == ["b", "a"])
        let last = try database.read {
            try $0.first(Guest.self, where: "nights < \(3)", order: "position DESC")
        }
        #expect(last?.id == "c")
    }

    @Test func `a type that is not coded as properties is refused`() throws {
        #expect(throws: NoRecord.self) { try database.write { try $0.insert(Scalar()) } }
        try database.write { try $0.insert(Guest(id: "ann")) }
        #expect(throws: NoRecord.self) { try database.read { try $0.all(Scalar.self) } }
    }

    @Test func `a transaction that starts over has done nothing, and goes on`() throws {
        try database.write { db in
            try db.insert(Guest(id: "ann"))
            try db.startOver()
            try db.insert(Guest(id: "bob"))
        }
        #expect(try database.read { try $0.all(Guest.self) }.map(\.id) == ["bob"])
    }
}
