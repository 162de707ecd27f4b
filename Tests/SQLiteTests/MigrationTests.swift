import SQLite
import Testing

struct MigrationTests {
    private let colour: SQL = "ALTER TABLE note ADD colour TEXT"

    @Test func `steps run once, later ones when they come`() throws {
        let database = try Database(.memory)

        try database.migrate([("notes", [Note.table])])
        try database.write { db in try Note("kept").insert(db) }
        try database.migrate([("notes", [Note.table, colour])])
        try database.migrate([("notes", [Note.table, colour])])
        let row = try database.read { db in
            try db.value(String.self, "SELECT title FROM note WHERE colour IS NULL")
        }
        #expect(row == "kept")
    }

    @Test func `a step that fails undoes all of them`() throws {
        let database = try Database(.memory)

        #expect(throws: SQLiteError.self) {
            try database.migrate([("notes", [Note.table]), ("others", ["CREATE TABLE note (id INTEGER)"])])
        }
        try database.migrate([("notes", [Note.table])])
        #expect(try Note.count(in: database) == 0)
    }

    @Test func `a database of a newer version is refused with both counts`() throws {
        let database = try Database(.memory)
        try database.migrate([("notes", [Note.table, colour])])

        let error = #expect(throws: SchemaTooNew.self) {
            try database.migrate([("notes", [Note.table])])
        }
        #expect(error?.name == "notes")
        #expect(error?.applied == 2)
        #expect(error?.known == 1)
    }
}
