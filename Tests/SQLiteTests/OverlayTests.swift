import Essentials
import Testing

@testable import SQLite

/// The storage in memory, as SQLite tests its own: without memory, and beside a database that is known to be right.
struct OverlayTests {
    /// Few pages in the cache, so that a transaction writes some before it is committed.
    private func tightConnection() throws -> Connection {
        let connection = try Connection()
        try connection.execute("PRAGMA cache_size = 10")
        return connection
    }

    private func change(_ db: Connection) throws {
        try db.execute("DELETE FROM note WHERE title = \("7")")
        try db.execute("UPDATE note SET body = \(String(repeating: "u", count: 500))")
        for index in 100..<160 { try Note("\(index)", body: String(repeating: "n", count: 600)).insert(db) }
    }

    private func contents(_ db: Connection) throws -> [String] {
        #expect(try db.value(String.self, "PRAGMA integrity_check") == "ok")
        return try db.all(Note.self, "SELECT * FROM note ORDER BY title").map {
            "\($0.title) \($0.body ?? "")"
        }
    }

    @Test func `pages of deleted rows are given back, and what is left is sound and can be written to`()
        throws
    {
        let notes = (0..<200).map { Note("\($0)", body: String(repeating: "o", count: 3000)) }
        let database = try makeDatabase(.memory, notes)
        let full = try database.size
        try database.write { try $0.execute("DELETE FROM note WHERE CAST(title AS INTEGER) >= 20") }
        #expect(try database.size >= full - Page.size)

        database.giveBackFreePages()

        #expect(try database.size < full / 5)
        #expect(try database.read { try contents($0) }.count == 20)
        let image = try database.image()
        try database.write { db in
            for index in 200..<400 {
                try Note("\(index)", body: String(repeating: "n", count: 3000)).insert(db)
            }
        }
        #expect(try database.read { try contents($0) }.count == 220)
        try database.restore(image)
        #expect(try database.read { try contents($0) }.count == 20)
    }

    @Test func `an image that is taken takes nothing from the size of its database`() throws {
        let notes = (0..<50).map { Note("\($0)", body: String(repeating: "o", count: 3000)) }
        let database = try makeDatabase(.memory, notes)
        let before = try database.size
        let image = try database.image()
        #expect(try database.size == before && before > 50 * 3000)
        let copy = try Database(.image(image))
        #expect(try copy.size == 0)
        try copy.write { try $0.execute("UPDATE note SET body = 'u' WHERE title = '7'") }
        #expect(try 1...4 * Page.size ~= copy.size)
    }

    @Test func `a transaction for which memory is lacking anywhere leaves everything as it was`() throws {
        let notes = (0..<40).map { Note("\($0)", body: String(repeating: "o", count: 300)) }
        let image = try makeDatabase(.memory, notes).image()
        let db = try tightConnection()
        let (before, after) = try { () -> ([String], [String]) in
            let model = Overlay(image.pages)
            let before = try db.visit(model, nil) { try contents(db) }
            try db.visit(model, nil) { try db.writing(change) }
            return (before, try db.visit(model, nil) { try contents(db) })
        }()
        #expect(before != after)
        var (failures, allowed) = (0, 0)
        while true {
            let overlay = Overlay(image.pages)
            overlay.allocationsLeft = allowed
            let failure = try failure(of: db, overlay)
            overlay.allocationsLeft = .max
            guard let failure else { break }
            #expect(failure.message == "out of memory" || failure.message == "disk I/O error")
            #expect(try db.visit(overlay, nil) { try contents(db) } == before, "after \(allowed) allocations")
            try db.visit(overlay, nil) { try db.writing(change) }
            #expect(try db.visit(overlay, nil) { try contents(db) } == after)
            (failures, allowed) = (failures + 1, allowed + 1)
        }
        #expect(failures > 50)
    }

    /// Why the change failed; nil when it did not.
    private func failure(of db: Connection, _ overlay: Overlay) throws -> SQLiteError? {
        do {
            try db.visit(overlay, nil) { try db.writing(change) }
            return nil
        } catch let error as SQLiteError {
            return error
        }
    }

    @Test func `ten thousand random transactions on four threads end as they do in files`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "overlay-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let image = try makeDatabase(.memory, (0..<20).map { Note("\($0)") }).image()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask { try Story(thread, image, folder).run(transactions: 2_500) }
            }
            try await group.waitForAll()
        }
    }

    /// A quarter of fifty databases, each beside a file to which the same is done.
    private final class Story {
        private struct Pair {
            let memory: Database
            let file: Database
            var kept: DatabaseImage
        }

        private var pairs: [Pair] = []
        private var dice: Dice

        init(_ thread: Int, _ image: DatabaseImage, _ folder: String) throws {
            dice = Dice(state: UInt64(thread + 1))
            let files = OpenFiles(limit: 12)
            for index in stride(from: thread, to: 50, by: 4) {
                let file = try Database(.file("\(folder)/\(index).sqlite"), files: files)
                try file.restore(image)
                pairs.append(Pair(memory: try Database(.image(image)), file: file, kept: image))
            }
        }

        func run(transactions: Int) throws {
            for _ in 0..<transactions {
                let index = dice.roll(pairs.count)
                switch dice.roll(60) {
                case 0: pairs[index].kept = try pairs[index].memory.image()
                case 1: for database in both(index) { try database.restore(pairs[index].kept) }
                default:
                    let seed = dice.next()
                    let outcomes = both(index).map { Self.play(seed, on: $0) }
                    #expect(outcomes[0] == outcomes[1])
                }
            }
            for index in pairs.indices {
                let contents = try both(index).map { database in
                    try database.read { db in
                        #expect(try db.value(String.self, "PRAGMA integrity_check") == "ok")
                        return try db.all(Note.self, "SELECT * FROM note ORDER BY id")
                    }
                }
                #expect(contents[0] == contents[1])
            }
        }

        private func both(_ index: Int) -> [Database] { [pairs[index].memory, pairs[index].file] }

        /// Some changes in one turn, which often fail or are taken back; how it went.
        private static func play(_ seed: UInt64, on database: Database) -> String {
            var dice = Dice(state: seed)
            do {
                let steps = try database.write { db in
                    let steps = try (0..<1 + dice.roll(12)).map { _ in try step(&dice, db) }
                    if dice.roll(5) == 0 { throw Refusal() }
                    return steps
                }
                return steps.joined(separator: ",")
            } catch let error as SQLiteError {
                return "\(error.code)"
            } catch {
                return "\(error)"
            }
        }

        private static func step(_ dice: inout Dice, _ db: Connection) throws -> String {
            let title = String(dice.roll(60))
            switch dice.roll(8) {
            case 0, 1, 2:
                let note = Note(title, body: String(repeating: "b", count: dice.roll(3_000)))
                // A title that is there already fails in the middle, and the turn goes on.
                do { try note.insert(db) } catch let error as SQLiteError { return "\(error.code)" }
            case 3: try db.execute("DELETE FROM note WHERE title = \(title)")
            case 4: try db.execute("UPDATE note SET body = \(title) WHERE id % 3 = \(dice.roll(3))")
            case 5:
                // Changes some rows before it comes to the one that is not allowed.
                do {
                    try db.execute(
                        "UPDATE note SET title = CASE WHEN id > 5 THEN 'same' ELSE title || 'x' END")
                } catch let error as SQLiteError {
                    return "\(error.code)"
                }
            default: try savepoint(&dice, db)
            }
            return "\(db.changes)"
        }

        private static func savepoint(_ dice: inout Dice, _ db: Connection) throws {
            try db.execute("SAVEPOINT point")
            try db.execute("DELETE FROM note WHERE id % 2 = \(dice.roll(2))")
            if dice.roll(2) == 0 { try db.execute("ROLLBACK TO point") }
            try db.execute("RELEASE point")
        }
    }

    /// SplitMix64: the same numbers in every run.
    private struct Dice {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }

        mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }
    }
}
