import Essentials
import Testing

@testable import SQLite

/// Databases in memory share their connections: none may ever see what is another's.
struct SharedConnectionTests {
    private func image(_ notes: [Note] = []) throws -> DatabaseImage {
        try makeDatabase(.memory, notes).image()
    }

    @Test func `a hundred databases each see their own, whatever the order`() throws {
        let image = try image([Note("all")])
        let databases = try (0..<100).map { _ in try Database(.image(image)) }
        for (index, database) in databases.enumerated() {
            try database.write { db in try Note("\(index)").insert(db) }
        }
        for (index, database) in databases.enumerated().reversed() {
            let titles = try database.read { try $0.all(Note.self, "SELECT * FROM note").map(\.title) }
            #expect(titles == ["all", "\(index)"])
        }
    }

    @Test func `what was rolled back in one is in none`() throws {
        let image = try image([Note("all")])
        let (first, second) = (try Database(.image(image)), try Database(.image(image)))
        for _ in 0..<100 {
            #expect(throws: Refusal.self) {
                try first.write { db in
                    try db.execute("DELETE FROM note")
                    for index in 0..<300 {
                        try Note("\(index)", body: String(repeating: "x", count: 900)).insert(db)
                    }
                    throw Refusal()
                }
            }
            #expect(try Note.count(in: second) == 1)
            #expect(try Note.count(in: first) == 1)
        }
    }

    @Test func `a statement of one kind of database does nothing to another kind`() throws {
        let notes = try Database(.image(image([Note("a")])))
        let other = try Database(.memory)
        try other.write { db in
            try db.execute("CREATE TABLE other (value TEXT) STRICT")
            try db.execute("CREATE TABLE note (number INTEGER) STRICT")
            try db.execute("INSERT INTO note VALUES (7)")
        }
        let others = try Database(.image(other.image()))
        for _ in 0..<10 {
            #expect(try notes.read { try $0.value(Int.self, "SELECT * FROM note") } == 1)
            #expect(try others.read { try $0.value(Int.self, "SELECT * FROM note") } == 7)
        }
    }

    @Test func `tables made in one are not in another that began with the same image`() throws {
        let image = try image()
        let (first, second) = (try Database(.image(image)), try Database(.image(image)))
        try first.write { db in
            try db.execute("CREATE TABLE extra (word TEXT) STRICT")
            try db.execute("INSERT INTO extra VALUES ('first')")
        }
        try second.write { db in
            try db.execute("CREATE TABLE extra (number INTEGER) STRICT")
            try db.execute("INSERT INTO extra VALUES (2)")
        }
        for _ in 0..<5 {
            #expect(try first.read { try $0.value(String.self, "SELECT * FROM extra") } == "first")
            #expect(try second.read { try $0.value(Int.self, "SELECT * FROM extra") } == 2)
        }
    }

    @Test func `databases whose tables were made alike are of one kind`() throws {
        let (first, second) = (try image([Note("a")]), try image([Note("b"), Note("c")]))
        #expect(first.pages.schema == second.pages.schema)
        let extra = try makeDatabase()
        try extra.write { db in try db.execute("CREATE TABLE extra (word TEXT) STRICT") }
        #expect(try extra.image().pages.schema != first.pages.schema)
    }

    @Test(arguments: [false, true])
    func `json_each works after the content was replaced, again and again`(_ isFile: Bool) throws {
        try withTemporaryFolder { folder in
            let image = try image([Note("a"), Note("b")])
            let database = try Database(isFile ? .file(folder + "/world.sqlite") : .image(image))
            for _ in 0..<20 {
                try database.restore(image)
                let found = try database.read { db in
                    try db.value(
                        Int.self,
                        "SELECT count(*) FROM note WHERE title IN (SELECT value FROM json_each(\("[\"a\"]")))"
                    )
                }
                #expect(found == 1)
            }
        }
    }

    @Test func `an image stays as it is while the database that it was made of goes on`() throws {
        let database = try Database(.image(image([Note("a")])))
        var images: [DatabaseImage] = []
        for index in 0..<20 {
            try database.write { db in
                try Note("\(index)", body: String(repeating: "b", count: 700)).insert(db)
            }
            images.append(try database.image())
        }
        try database.write { db in try db.execute("DELETE FROM note") }
        for (index, image) in images.enumerated() {
            #expect(try Note.count(in: Database(.image(image))) == index + 2)
            #expect(try Note.count(in: Database(.image(DatabaseImage(bytes: image.bytes)))) == index + 2)
        }
        try database.restore(images[4])
        #expect(try Note.count(in: database) == 6)
    }

    @Test func `a database has no last insert of another`() throws {
        let image = try image()
        let (first, second) = (try Database(.image(image)), try Database(.image(image)))
        try first.write { db in try Note("a").insert(db) }
        #expect(try second.read { $0.lastInsertID } == 0)
    }

    @Test func `an image of another page size is refused`() throws {
        var bytes = try image([Note("a")]).bytes
        (bytes[16], bytes[17]) = (0x10, 0x00)
        let error = #expect(throws: SQLiteError.self) {
            try makeDatabase().restore(DatabaseImage(bytes: bytes))
        }
        #expect(error?.message.contains("1024") == true)
    }

    @Test func `many files take turns in being open`() throws {
        try withTemporaryFolder { folder in
            let files = OpenFiles(limit: 3)
            let databases = try (0..<8).map { try Database(.file("\(folder)/\($0).sqlite"), files: files) }
            for (index, database) in databases.enumerated() {
                try database.write { db in
                    try db.execute(Note.table)
                    try Note("\(index)").insert(db)
                }
            }
            for (index, database) in databases.enumerated() {
                #expect(try database.read { try Note.find("\(index)", $0)?.title } == "\(index)")
                try database.write { try Note("again").insert($0) }
            }
            for database in databases { #expect(try Note.count(in: database) == 2) }
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
                }
                .filter { $0.hasPrefix(folder) && $0.hasSuffix(".sqlite") }
            #expect((1...3).contains(open.count))
        }
    }
}
