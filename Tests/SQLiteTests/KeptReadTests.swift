import SQLite
import Testing

struct KeptReadTests {
    private func body(of title: String, in database: Database) throws -> String? {
        try database.read(keeping: title) { db in try Note.find(title, db)?.body }
    }

    @Test func `a read is kept until a write says that it is wrong`() throws {
        let database = try makeDatabase(.memory, [Note("a", body: "before")])
        _ = try body(of: "a", in: database)

        try database.write { db in try db.execute("UPDATE note SET body = \("unsaid")") }
        #expect(try body(of: "a", in: database) == "before")

        try database.write { db in
            try db.execute("UPDATE note SET body = \("after")")
            db.forgetReads()
        }
        #expect(try body(of: "a", in: database) == "after")
    }

    @Test func `what is not there is asked for again`() throws {
        let database = try makeDatabase()
        #expect(try body(of: "a", in: database) == nil)

        try database.write { db in try Note("a", body: "new").insert(db) }
        #expect(try body(of: "a", in: database) == "new")
    }

    @Test func `a write that is rolled back leaves the old value to be read`() throws {
        let database = try makeDatabase(.memory, [Note("a", body: "before")])
        _ = try body(of: "a", in: database)

        #expect(throws: Refusal.self) {
            try database.write { db in
                try db.execute("UPDATE note SET body = \("never")")
                db.forgetReads()
                throw Refusal()
            }
        }
        #expect(try body(of: "a", in: database) == "before")
    }

    @Test func `a restored content is read anew`() throws {
        let database = try makeDatabase(.memory, [Note("a", body: "first")])
        let image = try database.image()
        try database.write { db in try db.execute("UPDATE note SET body = \("second")") }
        _ = try body(of: "a", in: database)

        try database.restore(image)
        #expect(try body(of: "a", in: database) == "first")
    }
}
