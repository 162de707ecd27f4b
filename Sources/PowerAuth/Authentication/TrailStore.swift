import SQLite

/// What is kept only to explain later why a code is wrong: old counter values, and resources that codes were right for.
struct TrailStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_counter_mark (
            activation TEXT NOT NULL,
            counter INTEGER NOT NULL,
            data BLOB NOT NULL, -- CTR_DATA of that counter
            PRIMARY KEY (activation, counter)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE powerauth_resource (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            uri_id TEXT NOT NULL UNIQUE
        ) STRICT
        """,
    ]

    /// Old counter values are found again for at least so many steps, and for fewer than three times as many.
    static let markDistance = 64
    /// Resources that are remembered in a world.
    static let resourceLimit = 200

    /// A point on the way of a counter.
    struct Mark: Sendable, Equatable, RowDecodable {
        let counter: Int
        let data: [UInt8]

        init(row: Row) throws { (counter, data) = (try row.integer("counter"), try row.blob("data")) }
    }

    /// Notes an accepted code; writes only once in a while.
    ///
    /// - Parameter before: the activation before it.
    func note(_ uriID: String?, from before: Activation, to counter: Int, in db: Connection) throws {
        if let uriID { try note(uriID, in: db) }
        let step = Self.markDistance
        guard before.counter == 0 || before.counter / step != counter / step,
            let data = before.counterData?.bytes
        else { return }
        try db.execute(
            """
            INSERT INTO powerauth_counter_mark (activation, counter, data)
            VALUES (\(before.id), \(before.counter), \(data)) ON CONFLICT DO NOTHING
            """)
        try db.execute(
            """
            DELETE FROM powerauth_counter_mark
            WHERE activation = \(before.id) AND counter < \(counter - 3 * step)
            """)
    }

    private func note(_ uriID: String, in db: Connection) throws {
        try db.execute(
            "INSERT INTO powerauth_resource (uri_id) VALUES (\(uriID)) ON CONFLICT DO NOTHING")
        guard db.changes > 0 else { return }
        try db.execute(
            "DELETE FROM powerauth_resource WHERE position <= \(db.lastInsertID - Self.resourceLimit)")
    }

    /// The oldest mark of the activation.
    func mark(of activation: String, in db: Connection) throws -> Mark? {
        try db.first(
            Mark.self,
            """
            SELECT counter, data FROM powerauth_counter_mark WHERE activation = \(activation)
            ORDER BY counter LIMIT 1
            """)
    }

    func resources(in db: Connection) throws -> [String] {
        var resources: [String] = []
        try db.each("SELECT uri_id FROM powerauth_resource ORDER BY position DESC") { row in
            resources.append(try row.text("uri_id"))
        }
        return resources
    }
}
