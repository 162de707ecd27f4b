import Essentials
import SQLite
import Testing

struct TransactionTests {
    @Test func `the outcome of the closure is returned`() throws {
        let database = try makeDatabase()

        let id = try database.write { db in
            try Note("a").insert(db)
            return db.lastInsertID
        }
        #expect(id == 1)
    }

    @Test func `a throw rolls everything back and is passed on`() throws {
        let database = try makeDatabase(.memory, [Note("before")])

        #expect(throws: Refusal.self) {
            try database.write { db in
                try Note("after").insert(db)
                throw Refusal()
            }
        }
        #expect(try Note.count(in: database) == 1)
    }

    @Test func `a throw between rows leaves the statement and the database usable`() throws {
        let database = try makeDatabase(.memory, [Note("a"), Note("b")])

        #expect(throws: Refusal.self) {
            try database.write { db in
                try db.execute("DELETE FROM note WHERE title = \("b")")
                try db.each("SELECT * FROM note") { _ in throw Refusal() }
            }
        }
        #expect(try Note.count(in: database) == 2)
    }

    @Test func `a commit that fails leaves no transaction open`() throws {
        let database = try makeDatabase()
        try database.write { db in
            try db.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT")
            try db.execute(
                "CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED) STRICT")
        }

        let error = #expect(throws: SQLiteError.self) {
            try database.write { db in try db.execute("INSERT INTO child VALUES (7)") }
        }
        #expect(error?.statement == "COMMIT")
        try database.write { db in try Note("after").insert(db) }
        #expect(try Note.count(in: database) == 1)
    }

    @Test func `foreign keys are enforced`() throws {
        let database = try makeDatabase()
        try database.write { db in
            try db.execute("CREATE TABLE child (note INTEGER REFERENCES note) STRICT")
        }

        let error = #expect(throws: SQLiteError.self) {
            try database.write { db in try db.execute("INSERT INTO child VALUES (7)") }
        }
        #expect(error?.message == "FOREIGN KEY constraint failed")
    }

    @Test func `read refuses to write`() throws {
        let database = try makeDatabase()

        let error = #expect(throws: SQLiteError.self) { try database.read { db in try Note("a").insert(db) } }
        #expect(error?.message == "a write inside read {}")
        #expect(try Note.count(in: database) == 0)
    }

    @Test func `eight threads write and none is lost`() async throws {
        let database = try makeDatabase()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for index in 0..<100 {
                        try database.write { db in try Note("\(thread)-\(index)").insert(db) }
                        _ = try database.read { db in try Note.find("\(thread)-\(index)", db) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Note.count(in: database) == 800)
    }

    @Test func `what was committed to a file survives the sudden end of the process`() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "sqlite-tests-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }

        await #expect(processExitsWith: .failure) { [path = path as String] in
            let database = try makeDatabase(.file(path))
            for index in 0..<100 { try database.write { db in try Note("\(index)").insert(db) } }
            try database.write { db in
                try Note("not committed").insert(db)
                fatalError("the process ends here")
            }
        }
        #expect(try Note.count(in: Database(.file(path))) == 100)
    }

    @Test func `a closure that uses its own database stops with a message instead of hanging`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let database = try Database(.memory)
            try database.read { _ in try database.read { _ in } }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("a database closure used its own database"))
    }
}
