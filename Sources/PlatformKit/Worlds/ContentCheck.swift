import SQLite

/// Whether a database from outside, such as a snapshot's file, holds what this program could have written.
struct ContentCheck: Sendable {
    /// As they are in a new database.
    private let definitions: [Definition]
    private let readers: [String: RowReader]

    /// - Parameters:
    ///   - model: a database with all tables.
    ///   - readers: of those tables whose rows are read whole.
    init(model: Database, readers: [RowReader]) throws {
        definitions = try model.read { try Definition.all(in: $0) }
        self.readers = Dictionary((readers + [Sequence.reader]).map { ($0.table, $0) }) { first, _ in first }
    }

    /// - Throws: ``UnsoundTable`` for what is wrong first; `SQLiteError` for a file that is damaged.
    func check(_ database: Database) throws {
        try database.read { db in
            guard try db.value(String.self, "PRAGMA encoding") == "UTF-8" else {
                throw UnsoundTable(
                    "sqlite_schema", nil, "the texts of the file are in UTF-16, expected UTF-8")
            }
            try check(Definition.all(in: db))
            for table in definitions where table.type == "table" {
                try db.checkRows(of: table.name, as: readers[table.name])
                if !table.isWithoutRowID { try db.checkNumbers(of: table.name) }
            }
        }
    }

    /// Tables, indices and triggers: each one that there is, and no other.
    private func check(_ found: [Definition]) throws {
        for wanted in definitions where !found.contains(wanted) {
            let isThere = found.contains { $0.name == wanted.name }
            throw UnsoundTable(
                wanted.table, nil,
                "the \(wanted.type) \(wanted.name) is \(isThere ? "not as this version makes it" : "missing")"
            )
        }
        if let strange = found.first(where: { !definitions.contains($0) }) {
            throw UnsoundTable(
                strange.table, nil, "the \(strange.type) \(strange.name) is none of this version")
        }
    }
}

extension ContentCheck {
    /// How a table, an index or a trigger was made.
    private struct Definition: Equatable, RowDecodable {
        let type: String
        let name: String
        let table: String
        let sql: String

        var isWithoutRowID: Bool { sql.contains("WITHOUT ROWID") }

        init(row: Row) throws {
            type = try row.text("type")
            name = try row.text("name")
            table = try row.text("tbl_name")
            sql = try row.text("sql")
        }

        static func all(in db: Connection) throws -> [Definition] {
            try db.all(
                Definition.self,
                "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
        }
    }

    /// How far the numbers of rows are spent, of a table that gives none again. Source: SQLite, “Autoincrement”.
    private struct Sequence: RowDecodable {
        static let reader = RowReader(Sequence.self, table: "sqlite_sequence")

        init(row: Row) throws {
            _ = try row.text("name")
            _ = try row.integer("seq")
        }
    }
}
