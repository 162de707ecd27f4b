import Essentials
import SQLite
import Testing

struct ImageTests {
    @Test func `a clone has the content and goes its own way`() throws {
        let origin = try makeDatabase(.memory, [Note("a")])
        let image = try origin.image()
        let (first, second) = (try Database(.image(image)), try Database(.image(image)))

        try first.write { db in
            for index in 0..<200 { try Note("new \(index)", body: "text").insert(db) }
        }
        try origin.write { db in try db.execute("DELETE FROM note") }
        #expect(try Note.count(in: first) == 201)
        #expect(try Note.count(in: second) == 1)
        #expect(try Note.count(in: origin) == 0)
    }

    @Test func `restore brings the content back, also for statements prepared for other tables`() throws {
        let database = try makeDatabase(.memory, [Note("a")])
        let image = try database.image()
        #expect(try Note.count(in: database) == 1)
        try database.write { db in
            try db.execute("DROP TABLE note")
            try db.execute("CREATE TABLE note (title INTEGER) STRICT")
        }
        #expect(try Note.count(in: database) == 0)

        try database.restore(image)
        let found = try database.read { db in try Note.find("a", db) }
        #expect(found == Note("a"))
        try database.write { db in try Note("b").insert(db) }
        #expect(try Note.count(in: database) == 2)
    }

    @Test func `an image of an empty database is an empty database`() throws {
        let clone = try Database(.image(try Database(.memory).image()))

        try clone.write { db in try db.execute(Note.table) }
        #expect(try Note.count(in: clone) == 0)
    }

    @Test func `an image that is no database is refused at its first use`() throws {
        let clone = try Database(.image(DatabaseImage(bytes: [UInt8](repeating: 0x41, count: 4096))))

        let error = #expect(throws: SQLiteError.self) { try Note.count(in: clone) }
        #expect(error?.message == "file is not a database")
    }

    @Test func `a failed restore leaves the content, in memory and in a file`() throws {
        try withTemporaryFolder { folder in
            for location in [Database.Location.memory, .file(folder + "/world.sqlite")] {
                let database = try makeDatabase(location, [Note("a")])

                #expect(throws: SQLiteError.self) {
                    try database.restore(DatabaseImage(bytes: [UInt8](repeating: 0x41, count: 4096)))
                }
                #expect(try Note.count(in: database) == 1)
            }
        }
    }

    /// Fills the file at `path`, puts `image` in the place of that, closes it, and gives back what was there before.
    private func replaceFile(_ path: String, by image: DatabaseImage) throws -> DatabaseImage {
        let file = try makeDatabase(.file(path), [Note("from file")])
        let before = try file.image()
        try file.restore(image)
        return before
    }

    @Test func `a file that is open cannot be opened again`() throws {
        try withTemporaryFolder { folder in
            let first = try makeDatabase(.file(folder + "/world.sqlite"), [Note("mine")])
            let error = #expect(throws: SQLiteError.self) { try Database(.file(folder + "/world.sqlite")) }
            #expect(error?.isLocked == true)
            #expect(try Note.count(in: first) == 1)
        }
    }

    @Test func `images move between memory and file in both directions`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/world.sqlite"
            let memory = try makeDatabase(.memory, [Note("from memory")])
            let memoryImage = try memory.image()

            try memory.restore(replaceFile(path, by: memoryImage))
            let reopened = try Database(.file(path))
            let inMemory = try memory.read { db in try Note.find("from file", db) }
            let inFile = try reopened.read { db in try Note.find("from memory", db) }
            let mode = try reopened.read { db in
                try db.value(String.self, "SELECT journal_mode FROM pragma_journal_mode")
            }
            #expect(inMemory != nil)
            #expect(inFile != nil)
            #expect(mode == "wal")
        }
    }
}

func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sqlite-tests-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
}
