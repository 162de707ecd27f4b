package import SQLite

// What a turn reads and writes, record by record. Of those that are `Traced` the journal hears, at no cost for the others.
extension Turn {
    package func first<R: Record>(_ type: R.Type, where condition: SQL, order: SQL? = nil) throws -> R? {
        try db.first(type, where: condition, order: order)
    }

    package func first<R: Traced>(_ type: R.Type, where condition: SQL, order: SQL? = nil) throws -> R? {
        let found = try db.first(type, where: condition, order: order)
        if let found { concern(found.subjects) }
        return found
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

    package func insert<R: Traced>(_ record: R) throws {
        let subjects = record.subjects
        concern(subjects)
        try db.tidy(R.self, at: now)
        try db.insert(record)
        issued(subjects)
    }

    /// Adds a record, or puts it in the place of the one with its key. What ended long ago in its table goes.
    package func save<R: Record>(_ record: R) throws {
        try db.tidy(R.self, at: now)
        try db.save(record)
    }

    package func save<R: Traced>(_ record: R) throws {
        concern(record.subjects)
        try db.tidy(R.self, at: now)
        try db.save(record)
    }

    package func update<R: Record>(_ record: R) throws { try db.update(record) }

    package func update<R: Traced>(_ record: R) throws {
        concern(record.subjects)
        try db.update(record)
    }

    /// Writes a few of the record's columns, as `update(grant, .scope)`.
    package func update<R: Record>(_ record: R, _ changed: R.CodingKeys...) throws {
        try db.update(record, only: changed)
    }

    package func update<R: Traced>(_ record: R, _ changed: R.CodingKeys...) throws {
        concern(record.subjects)
        try db.update(record, only: changed)
    }

    package func delete<R: Record>(_ record: R) throws { try db.delete(record) }

    package func delete<R: Traced>(_ record: R) throws {
        concern(record.subjects)
        try db.delete(record)
    }

    /// The first record that fits, which is gone then.
    package func take<R: Record>(_ type: R.Type, where condition: SQL) throws -> R? {
        try db.take(type, where: condition)
    }

    package func take<R: Traced>(_ type: R.Type, where condition: SQL) throws -> R? {
        let taken = try db.take(type, where: condition)
        if let taken { concern(taken.subjects) }
        return taken
    }
}
