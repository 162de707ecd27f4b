import Essentials
import SQLite
import Testing

struct StatementTests {
    @Test func `an interpolated value is bound, a raw constant and a fragment are spliced`() throws {
        let database = try makeDatabase(.memory, [Note("one"), Note("two")])
        let condition: SQL = "title = \("two") OR title = \("three")"

        let titles = try database.read { db in
            try db.all(
                Note.self, "SELECT * FROM \(raw: "note") WHERE pinned = \(false) AND (\(fragment: condition))"
            )
            .map(\.title)
        }
        #expect(titles == ["two"])
    }

    @Test func `rows come in the order of the result`() throws {
        let database = try makeDatabase(.memory, [Note("b"), Note("c"), Note("a")])

        let titles = try database.read { db in
            var titles: [String] = []
            try db.each("SELECT title FROM note ORDER BY title") { titles.append(try $0.text("title")) }
            return titles
        }
        #expect(titles == ["a", "b", "c"])
    }

    @Test func `the same statement may run inside its own rows`() throws {
        let database = try makeDatabase(.memory, [Note("a"), Note("b")])
        let titles: SQL = "SELECT title FROM note ORDER BY title"

        let pairs = try database.read { db in
            var pairs: [String] = []
            try db.each(titles) { outer in
                try db.each(titles) { pairs.append(try outer.text("title") + $0.text("title")) }
            }
            return pairs
        }
        #expect(pairs == ["aa", "ab", "ba", "bb"])
    }

    @Test func `a kept statement sees a column that was added since`() throws {
        let database = try makeDatabase(.memory, [Note("a")])
        func firstColumns(_ names: [String]) throws -> [String] {
            try database.read { db in
                var found: [String] = []
                try db.each("SELECT * FROM note") { row in found = try names.map(row.text) }
                return found
            }
        }

        #expect(try firstColumns(["title"]) == ["a"])
        try database.write { db in try db.execute("ALTER TABLE note ADD colour TEXT NOT NULL DEFAULT 'red'") }
        #expect(try firstColumns(["colour", "title"]) == ["red", "a"])
    }

    @Test func `more statements than are kept all work, again and again`() throws {
        let database = try makeDatabase(.memory, [Note("a")])
        let columns: [SQL] = ["id", "title", "body", "pinned", "weight", "seal", "written"]
        let orders: [SQL] = ["id", "title", "pinned", "weight", "written"]

        try database.read { db in
            for _ in 1...3 {
                for column in columns {
                    for order in orders {
                        let sql: SQL = "SELECT \(fragment: column) FROM note ORDER BY \(fragment: order)"
                        var rows = 0
                        try db.each(sql) { _ in rows += 1 }
                        #expect(rows == 1)
                    }
                }
            }
        }
    }

    @Test func `changes and the last row id are those of the last statement`() throws {
        let database = try makeDatabase(.memory, [Note("a"), Note("b")])

        try database.write { db in
            try db.execute("UPDATE note SET weight = 2.5")
            #expect(db.changes == 2)
            try Note("c").insert(db)
            #expect(db.changes == 1)
            #expect(db.lastInsertID == 3)
        }
    }

    @Test func `an error shows the statement and no bound value`() throws {
        let database = try makeDatabase(.memory, [Note("secret")])

        let error = #expect(throws: SQLiteError.self) {
            try database.write { db in try Note("secret").insert(db) }
        }
        #expect(error?.isUniqueViolation == true)
        #expect(error?.message == "UNIQUE constraint failed: note.title")
        #expect(error?.description.contains("INSERT INTO note") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(
        arguments: [
            ("SELECT 1; DROP TABLE note", "more than one statement"), ("", "no statement"),
            ("SELECT * FROM note WHERE title = ?", "1 parameters, 0 values"),
            ("SELECT \"title of a note\" FROM note", "no such column: title of a note"),
        ] as [(SQL, String)])
    func `a malformed statement is refused`(sql: SQL, message: String) throws {
        let database = try makeDatabase()

        let error = #expect(throws: SQLiteError.self) { try database.write { db in try db.execute(sql) } }
        #expect(error?.message == message)
    }
}
