import Essentials
import SQLite

/// The table of these tests, with a column of every kind.
struct Note: RowDecodable, Equatable {
    static let table: SQL = """
        CREATE TABLE note (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, body TEXT, pinned INTEGER NOT NULL,
            weight REAL NOT NULL, seal BLOB, written INTEGER NOT NULL
        ) STRICT
        """

    var title: String
    var body: String?
    var isPinned = false
    var weight = 1.5
    var seal: [UInt8]?
    var written = Date(timeIntervalSince1970: 1_700_000_000.123)

    init(_ title: String, body: String? = nil, seal: [UInt8]? = nil) {
        self.title = title
        self.body = body
        self.seal = seal
    }

    init(row: Row) throws {
        title = try row.text("title")
        body = try row.optionalText("body")
        isPinned = try row.boolean("pinned")
        weight = try row.real("weight")
        seal = try row.optionalBlob("seal")
        written = try row.date("written")
    }

    func insert(_ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO note (title, body, pinned, weight, seal, written)
            VALUES (\(title), \(body), \(isPinned), \(weight), \(seal), \(written))
            """)
    }

    static func find(_ title: String, _ db: Connection) throws -> Note? {
        try db.first(Note.self, "SELECT * FROM note WHERE title = \(title)")
    }

    static func count(in database: Database) throws -> Int {
        try database.read { db in try db.value(Int.self, "SELECT count(*) FROM note") ?? -1 }
    }
}

/// A database in memory with the table and the notes.
func makeDatabase(_ location: Database.Location = .memory, _ notes: [Note] = []) throws -> Database {
    let database = try Database(location)
    try database.write { db in
        try db.execute(Note.table)
        for note in notes { try note.insert(db) }
    }
    return database
}

struct Refusal: Error {}
