import CSQLite

/// A database in memory: an ``Overlay``, which any connection of a pool can enter.
final class MemoryStorage: Storage {
    private let overlay: Overlay
    /// What the database began with.
    private let origin: DatabaseImage.Pages
    private let pool: ConnectionPool
    private let kept: KeptReads
    /// It may still remember some of the pages.
    private var last: PooledConnection?

    init(_ image: DatabaseImage, pool: ConnectionPool, kept: KeptReads) {
        overlay = Overlay(image.pages)
        origin = image.pages
        self.pool = pool
        self.kept = kept
    }

    func withConnection<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        let lent = try pool.borrow(preferring: last, schema: overlay.schema)
        defer { pool.giveBack(lent) }
        last = lent
        return try lent.use { db in try db.visit(overlay, kept) { try body(db) } }
    }

    func image() throws -> DatabaseImage {
        var schema = overlay.schema
        if !SchemaNumbers.isSettled(schema) {
            schema = SchemaNumbers.settled(try withConnection { try $0.schemaText() }, schema)
        }
        return DatabaseImage(try overlay.freeze(schema: schema), isSound: true)
    }

    func restore(_ image: DatabaseImage) throws {
        if !image.isSound { try image.check() }
        overlay.restore(image.pages)
    }

    func giveBackFreePages() { overlay.giveBackFreePages() }

    func size() -> Int { overlay.pageCount(beside: origin) * Page.size }
}

extension Connection {
    private static let look: SQL = "SELECT 1 FROM sqlite_schema LIMIT 1"

    /// Runs `body` while the connection shows `overlay`, and keeps reads in `kept`.
    func visit<Value>(_ overlay: Overlay, _ kept: KeptReads?, _ body: () throws -> Value) throws -> Value {
        // What was inserted last in another database is nothing to ask for in this one.
        sqlite3_set_last_insert_rowid(handle, 0)
        self.kept = kept
        defer { self.kept = nil }
        let hasOtherTables = stage?.enter(overlay) ?? false
        do {
            // Before a statement is prepared for tables that are not there.
            if hasOtherTables { try execute(Self.look) }
            let value = try body()
            stage?.leave(isSound: true)
            return value
        } catch {
            // After a refusal the transaction was rolled back as any other; after a failure of SQLite nothing is taken for granted.
            stage?.leave(isSound: !(error is SQLiteError))
            throw error
        }
    }
}

extension DatabaseImage {
    /// An empty database.
    static let empty = DatabaseImage(bytes: [], isSound: true)

    /// - Throws: when this is not the image of a database of the house.
    func check() throws {
        if let size = pages.statedPageSize, size != Page.size {
            throw SQLiteError(
                code: SQLITE_NOTADB, message: "pages of \(size) bytes, expected \(Page.size)",
                statement: "image")
        }
        try withConnection { db in try db.execute("SELECT count(*) FROM sqlite_schema") }
    }

    /// Runs `body` with a connection of its own to the image.
    func withConnection<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        let (overlay, db) = (Overlay(pages), try Connection())
        return try db.visit(overlay, nil) { try body(db) }
    }
}
