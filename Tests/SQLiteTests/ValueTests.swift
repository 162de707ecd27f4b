import Essentials
import SQLite
import Testing

struct ValueTests {
    @Test(
        arguments: [
            Note("plain", body: "body", seal: [0, 255, 1]), Note("", body: "", seal: []), Note("nothing"),
            Note("a\0b", body: "\0"), Note("żółw 🐢"), Note("'; DROP TABLE note; --"),
        ])
    func `what is bound is read back unchanged`(_ note: Note) throws {
        let database = try makeDatabase(.memory, [note])

        let found = try database.read { db in try Note.find(note.title, db) }
        #expect(found == note)
    }

    @Test func `text with NUL is stored whole`() throws {
        let database = try makeDatabase(.memory, [Note("a\0b")])

        let hex = try database.read { db in try db.value(String.self, "SELECT hex(title) FROM note") }
        #expect(hex == "610062")
    }

    @Test(
        arguments: [
            (Date(timeIntervalSince1970: 1_700_000_000.1234), 1_700_000_000_123),
            (Date(timeIntervalSince1970: 0.001), 1), (Date(timeIntervalSince1970: -0.001), 0),
            (Date(timeIntervalSince1970: 1e300), 253_402_300_799_999),
            (Date(timeIntervalSince1970: -1e300), 0),
        ] as [(Date, Int64)])
    func `a date is stored in whole milliseconds, one out of range as the last within it`(
        date: Date, milliseconds: Int64
    ) {
        #expect(date.sqlValue == .integer(milliseconds))
    }

    @Test func `a scalar is nil when there is no row and when it is NULL`() throws {
        let database = try makeDatabase()

        func scalar<Value: SQLReadable & Sendable>(_ type: Value.Type, _ sql: SQL) throws -> Value? {
            try database.read { db in try db.value(type, sql) }
        }
        #expect(try scalar(String.self, "SELECT title FROM note") == nil)
        #expect(try scalar(Int.self, "SELECT max(id) FROM note") == nil)
        #expect(try scalar(Bool.self, "SELECT \(2 > 1)") == true)
        #expect(try scalar(Int64.self, "SELECT \(Int64.min)") == .min)
        #expect(try scalar([UInt8].self, "SELECT x'00ff'") == [0, 255])
    }

    @Test(
        arguments: [
            (.integer, "title", "column title: expected INTEGER, found TEXT"),
            (.text, "body", "column body: expected TEXT, found NULL"),
            (
                .optionalDate, "title",
                "column title: expected INTEGER milliseconds from 1970 to 9999 or NULL, found TEXT"
            ),
            (.boolean, "title", "column title: expected INTEGER 0 or 1, found TEXT"),
            (.text, "absent", "column absent: expected TEXT, found no such column"),
        ] as [(Reader, String, String)])
    func `a column of another type says what was expected and what was found`(
        reader: Reader, column: String, message: String
    ) throws {
        let database = try makeDatabase(.memory, [Note("one")])

        let error = #expect(throws: ColumnMismatch.self) {
            try database.read { db in
                try db.each("SELECT * FROM note") { row in try reader.read(column, of: row) }
            }
        }
        #expect(error?.description == message)
    }

    enum Reader {
        case text, integer, boolean, optionalDate

        func read(_ column: String, of row: Row) throws {
            switch self {
            case .text: _ = try row.text(column)
            case .integer: _ = try row.integer(column)
            case .boolean: _ = try row.boolean(column)
            case .optionalDate: _ = try row.optionalDate(column)
            }
        }
    }
}
