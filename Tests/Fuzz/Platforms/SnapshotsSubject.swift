import Essentials
import HTTP
import PlatformKit
import SQLite

/// Databases from outside with one extreme number in them: refused with table and column, or used like any other.
///
/// Each number of each table is set to each of a few extremes in a snapshot's file, in the data file of a world, and in a world that lives,
/// past every check. Then every page and call is read, and each platform takes requests.
struct SnapshotsSubject: Subject {
    static let name = "snapshots"
    static let batch = 1

    private static let extremes = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775", "9007199254740993", "4294967296",
        "-1", "1e300", "-1e300", "9.2e18",
    ]
    /// How the number comes in.
    private static let ways = ["file", "start", "live"]
    private static let snapshot = "seed"

    private let house = FuzzHouse()
    private let seed: [UInt8]
    /// Table and column.
    private let places: [(table: String, column: String)]
    private let visitor: WorldVisitor

    init() {
        do {
            visitor = WorldVisitor()
            guard let world = try house.worlds.world(Worlds.defaultName) else {
                preconditionFailure("there is no world")
            }
            visitor.fill(house.dispatcher)
            _ = house.takeReports()
            _ = try house.worlds.takeSnapshot(Self.snapshot, of: Worlds.defaultName)
            seed = try house.worlds.exportSnapshot(Self.snapshot, of: Worlds.defaultName)
            places = try world.database.read { try Self.places(in: $0) }
        } catch {
            preconditionFailure("the built-in world is not ready: \(error)")
        }
    }

    /// Columns of numbers, of all tables with rows.
    private static func places(in db: Connection) throws -> [(table: String, column: String)] {
        var places: [(table: String, column: String)] = [("sqlite_sequence", "seq")]
        var tables: [String] = []
        try db.each("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
            tables.append(try $0.text("name"))
        }
        for table in tables where !table.hasPrefix("sqlite_") {
            guard try db.value(Int.self, "SELECT count(*) FROM \(fragment: .name(table))") ?? 0 > 0 else {
                continue
            }
            try db.each("PRAGMA table_info(\(fragment: .name(table)))") { row in
                guard ["INTEGER", "REAL"].contains(try row.text("type")) else { return }
                places.append((table, try row.text("name")))
            }
        }
        return places
    }

    var corpus: [[UInt8]] { [Array("live phones_phone clock_skew -1".utf8)] }
    let dictionary: [[UInt8]] = [Array("-1".utf8)]

    /// Every way of every extreme of every place once, before the first comes again.
    func input(_ index: UInt64, _ mutator: Mutator, _ random: inout SplitMix64) -> [UInt8] {
        let count = UInt64(Self.ways.count * Self.extremes.count * places.count)
        // Neighbours lie far apart: the prime divides no count that there will be.
        let index = Int((index % count &* 1_000_003) % count)
        let (way, rest) = (index % Self.ways.count, index / Self.ways.count)
        let place = places[rest / Self.extremes.count]
        let extreme = Self.extremes[rest % Self.extremes.count]
        return Array("\(Self.ways[way]) \(place.table) \(place.column) \(extreme)".utf8)
    }

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        let words = String(decoding: input, as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 4 else { return }
        do {
            switch words[0] {
            case "file": try checkFile(words)
            case "start": try checkStart(words)
            default: try checkLive(words)
            }
        } catch let error as Violation {
            throw error
        } catch {
            throw Violation("not refused in words: \(error)")
        }
    }

    /// The seed with the number in it; nil where the table does not take it.
    private func changed(_ words: [String]) throws -> [UInt8]? {
        let database = try Database(.image(DatabaseImage(bytes: seed)))
        return try change(database, words) ? database.image().bytes : nil
    }

    private func change(_ database: Database, _ words: [String]) throws -> Bool {
        do {
            try database.write { db in
                let number: SQL = "CAST(\(words[3]) AS NUMERIC)"
                let (table, column): (SQL, SQL) = (.name(words[1]), .name(words[2]))
                let last: SQL =
                    words[1] == "sqlite_sequence"
                    ? "" : " WHERE rowid = (SELECT max(rowid) FROM \(fragment: table))"
                try db.execute(
                    "UPDATE \(fragment: table) SET \(fragment: column) = \(fragment: number)\(fragment: last)"
                )
                db.forgetReads()
            }
            return true
        } catch is SQLiteError {
            return false
        }
    }

    private func checkFile(_ words: [String]) throws {
        guard let file = try changed(words) else { return }
        do {
            _ = try house.worlds.importSnapshot(file, as: "case", into: Worlds.defaultName)
        } catch WorldError.snapshotUnreadable(let reason) {
            return try require(reason, names: words)
        }
        defer {
            do { try house.worlds.deleteSnapshot("case", of: Worlds.defaultName) } catch {
                preconditionFailure("\(error)")
            }
        }
        try house.worlds.restore("case", in: Worlds.defaultName, keepsClock: false)
        try visit(house, Worlds.defaultName, words)
        try house.worlds.restore(Self.snapshot, in: Worlds.defaultName, keepsClock: false)
    }

    private func checkStart(_ words: [String]) throws {
        guard let file = try changed(words) else { return }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "understudy-fuzz-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch { preconditionFailure("\(error)") }
        }
        try Data(file).write(to: folder.appending(path: "case.sqlite"))
        let started = FuzzHouse(content: house.worlds.content, folder: folder.path)
        do {
            _ = try started.worlds.world("case")
        } catch WorldError.unreadable(_, let reason) {
            return try require(reason, names: words)
        }
        try visit(started, "case", words)
    }

    private func checkLive(_ words: [String]) throws {
        var order = WorldOrder()
        order.origin = .init(world: Worlds.defaultName, snapshot: Self.snapshot)
        let name = try house.worlds.create(order)
        defer { do { try house.worlds.delete(name) } catch { preconditionFailure("\(error)") } }
        guard let world = try house.worlds.world(name), try change(world.database, words) else { return }
        try visit(house, name, words)
    }

    private func require(_ reason: String, names words: [String]) throws {
        // The rules of fixtures name the member by its path.
        guard reason.contains("table " + words[1]) || reason.contains("refused as fixtures: ") else {
            throw Violation("refused without the table \(words[1]): \(reason)")
        }
    }

    private func visit(_ house: FuzzHouse, _ world: String, _ words: [String]) throws {
        let failure = visitor.visit(world, of: house.dispatcher) { status in
            // How far SQLite's own numbers are spent is no number of ours.
            words[0] == "live" && status == 507
        }
        // That SQLite's numbers are spent is told as a disk that is full, `SQLITE_FULL`.
        let reports = house.takeReports().filter { words[0] != "live" || !$0.contains("SQLite 13)") }
        if let report = reports.first { throw Violation(report) }
        if let failure { throw Violation(failure) }
    }
}

extension SQL {
    /// Splices a name of the database's own.
    fileprivate static func name(_ name: String) -> SQL {
        var text = SQL.Interpolation(literalCapacity: name.utf8.count, interpolationCount: 0)
        text.appendLiteral(name)
        return SQL(stringInterpolation: text)
    }
}
