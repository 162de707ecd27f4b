package import SQLite

// What a turn reads and writes, record by record.
extension Turn {
    package func first<R: Record>(_ type: R.Type, where condition: SQL, order: SQL? = nil) throws -> R? {
        try db.first(type, where: condition, order: order)
    }

    package func all<R: Record>(
        _ type: R.Type, where condition: SQL? = nil, order: SQL? = nil, limit: Int? = nil, offset: Int = 0
    ) throws -> [R] {
        try db.all(type, where: condition, order: order, limit: limit, offset: offset)
    }

    /// Adds a record. What ended long ago in its table goes.
    package func insert<R: Record>(_ record: R) throws {
        try db.tidy(R.self, at: now)
        try db.insert(record)
    }

    /// Adds a record, or puts it in the place of the one with its key. What ended long ago in its table goes.
    package func save<R: Record>(_ record: R) throws {
        try db.tidy(R.self, at: now)
        try db.save(record)
    }

    package func update(_ record: some Record) throws { try db.update(record) }

    /// Writes a few of the record's columns, as `update(grant, .scope)`.
    package func update<R: Record>(_ record: R, _ changed: R.CodingKeys...) throws {
        try db.update(record, only: changed)
    }

    package func delete(_ record: some Record) throws { try db.delete(record) }

    /// The first record that fits, which is gone then.
    package func take<R: Record>(_ type: R.Type, where condition: SQL) throws -> R? {
        try db.take(type, where: condition)
    }
}
