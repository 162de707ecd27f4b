package import Essentials

// Records in and out. `where` is a condition with its values: `"user_id = \(id) AND spent_at IS NULL"`.
extension Connection {
    // MARK: Reading

    /// The first record that fits, by the table's order.
    package func first<R: Record>(
        _ type: R.Type, where condition: SQL, order: SQL? = nil
    ) throws -> R? {
        var sql = select(type, condition, order)
        sql.appendInterpolation(raw: " LIMIT 1")
        return try first(type, SQL(stringInterpolation: sql))
    }

    /// All records that fit, by the table's order.
    ///
    /// - Parameters:
    ///   - limit: how many at most, after the first `offset`; nil for all.
    package func all<R: Record>(
        _ type: R.Type, where condition: SQL? = nil, order: SQL? = nil, limit: Int? = nil, offset: Int = 0
    ) throws -> [R] {
        try all(type, list(type, condition, order, limit, offset))
    }

    /// What `body` makes of each record that fits. What it leaves out, such as most of a long text, is in memory for one record at a time.
    package func all<R: Record, Value>(
        _ type: R.Type, where condition: SQL? = nil, order: SQL? = nil, limit: Int? = nil,
        making body: (R) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try each(list(type, condition, order, limit, 0)) { row in
            let record = try R(row: row)
            try row.statement.reserve()
            values.append(try body(record))
        }
        return values
    }

    private func list<R: Record>(
        _ type: R.Type, _ condition: SQL?, _ order: SQL?, _ limit: Int?, _ offset: Int
    ) -> SQL {
        var sql = select(type, condition, order)
        if let limit {
            sql.appendInterpolation(raw: " LIMIT ")
            sql.appendInterpolation(limit)
            sql.appendInterpolation(raw: " OFFSET ")
            sql.appendInterpolation(offset)
        }
        return SQL(stringInterpolation: sql)
    }

    package func exists<R: Record>(_: R.Type, where condition: SQL) throws -> Bool {
        try value(Int.self, "SELECT 1 FROM \(name: R.table.name) WHERE \(fragment: condition) LIMIT 1") != nil
    }

    package func count<R: Record>(_: R.Type, where condition: SQL) throws -> Int {
        try value(Int.self, "SELECT count(*) FROM \(name: R.table.name) WHERE \(fragment: condition)") ?? 0
    }

    /// Put together piece by piece: this is done at each read.
    private func select<R: Record>(
        _: R.Type, _ condition: SQL?, _ order: SQL?
    ) -> SQL.Interpolation {
        let table = R.table
        var sql = SQL.Interpolation(literalCapacity: 160, interpolationCount: 4)
        sql.appendInterpolation(raw: "SELECT * FROM ")
        sql.appendInterpolation(name: table.name)
        sql.appendInterpolation(clause: " WHERE ", condition)
        sql.appendInterpolation(raw: " ORDER BY ")
        if let order {
            sql.appendInterpolation(fragment: order)
        } else {
            sql.appendInterpolation(name: table.order)
        }
        return sql
    }

    // MARK: Writing

    /// Adds a record; of a table with a limit the oldest ones go.
    ///
    /// - Throws: `SQLiteError.isUniqueViolation` for one that is there.
    package func insert(_ record: some Record) throws {
        try write(record) { $0.insert }
        try keepNewest(of: record)
    }

    /// Adds a record, or puts it in the place of the one with its key.
    package func save(_ record: some Record) throws {
        try write(record) { $0.save }
        try keepNewest(of: record)
    }

    /// Writes the record over the one with its key, where there is one.
    package func update(_ record: some Record) throws { try write(record) { $0.update } }

    /// Writes a few of the record's columns over those of the one with its key, where there is one: `update(grant, .scope)`.
    ///
    /// Columns that follow from others are left as they are; see ``Record/derivedColumns``.
    package func update<R: Record>(_ record: R, _ changed: R.CodingKeys...) throws {
        try update(record, only: changed)
    }

    /// See ``update(_:_:)``.
    package func update<R: Record>(_ record: R, only changed: [R.CodingKeys]) throws {
        // Not by a key path, which is looked up at each call.
        try write(record, only: changed.map { $0.stringValue } + R.table.key) { $0.update }
    }

    package func delete(_ record: some Record) throws { try write(record) { $0.delete } }

    package func delete<R: Record>(_: R.Type, where condition: SQL) throws {
        try execute("DELETE FROM \(name: R.table.name) WHERE \(fragment: condition)")
    }

    /// The first record that fits, which is gone then.
    package func take<R: Record>(_ type: R.Type, where condition: SQL) throws -> R? {
        guard let record = try first(type, where: condition) else { return nil }
        try delete(record)
        return record
    }

    /// Takes away the rows of a table that ended longer ago than it keeps them.
    package func tidy<R: Record>(_: R.Type, at now: Date) throws {
        guard let seconds = R.table.keptSeconds else { return }
        try execute("DELETE FROM \(name: R.table.name) WHERE expires_at < \(now - seconds)")
    }

    private func keepNewest<R: Record>(of _: R) throws {
        // A new row has the highest number of its table; one that was written over needs no room.
        guard let limit = R.table.limit, lastInsertID > limit else { return }
        let kept: SQL? = R.table.keeping.map { "NOT (\(name: $0))" }
        try execute(
            """
            DELETE FROM \(name: R.table.name)
            WHERE rowid <= (SELECT max(rowid) FROM \(name: R.table.name)) - \(limit)\(clause: " AND ", kept)
            """)
    }

    private func write<R: Record>(
        _ record: R, only wanted: [String]? = nil,
        _ statement: (RecordStatements) -> RecordStatements.Statement?
    ) throws {
        let columns = try RowEncoder(record, only: wanted)
        guard let statement = statement(statements(of: R.self, columns.names)) else {
            throw NoKey(table: R.table.name)
        }
        try execute(statement.sql(columns.values))
    }
}
