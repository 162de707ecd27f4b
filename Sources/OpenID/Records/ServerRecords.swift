package import SQLite

/// The records of one kind that belong to one authorization server.
///
/// All servers of a world share a table, whose column `server` tells them apart by the platform's name. Fixture files do not say it:
/// each server has a section of its own there.
package struct ServerRecords<Entry: Record>: Sendable {
    let server: String

    package func first(where condition: SQL, in db: Connection) throws -> Entry? {
        try db.first(Entry.self, where: own(condition))
    }

    /// In the order of the table.
    package func all(where condition: SQL? = nil, in db: Connection) throws -> [Entry] {
        try db.all(Entry.self, where: own(condition))
    }

    func count(where condition: SQL, in db: Connection) throws -> Int {
        try db.count(Entry.self, where: own(condition))
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for one that is there.
    package func insert(_ entry: Entry, in db: Connection) throws {
        try db.insert(Owned(server: server, entry: entry))
    }

    /// Writes the entry over the one with its key, where there is one.
    package func update(_ entry: Entry, in db: Connection) throws { try write(entry, in: db) }

    func write(_ entry: Entry, in db: Connection) throws {
        try db.update(Owned(server: server, entry: entry))
    }

    /// - Returns: whether there was one.
    @discardableResult
    package func delete(where condition: SQL, in db: Connection) throws -> Bool {
        try db.delete(Entry.self, where: own(condition))
        return db.changes > 0
    }

    /// The condition, of this server's entries alone.
    func own(_ condition: SQL?) -> SQL {
        guard let condition else { return "server = \(server)" }
        return "server = \(server) AND \(fragment: condition)"
    }
}

/// A record as it is written: with the server that it belongs to.
private struct Owned<Entry: Record>: Record {
    static var table: Table { Entry.table }

    let server: String
    let entry: Entry

    var derivedColumns: [DerivedColumn] { entry.derivedColumns + [DerivedColumn("server", server)] }

    init(server: String, entry: Entry) { (self.server, self.entry) = (server, entry) }

    init(from decoder: any Decoder) throws {
        server = try decoder.container(keyedBy: ServerKey.self).decode(String.self, forKey: .server)
        entry = try Entry(from: decoder)
    }

    func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }

    typealias CodingKeys = Entry.CodingKeys

    private enum ServerKey: CodingKey {
        case server
    }
}
