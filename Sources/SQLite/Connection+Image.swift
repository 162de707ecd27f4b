import CSQLite

extension Connection {
    /// Every page of the database.
    func serialized() throws -> DatabaseImage {
        var count: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(handle, "main", &count, 0) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", statement: "serialize")
        }
        defer { sqlite3_free(bytes) }
        return DatabaseImage(bytes: [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count))))
    }

    /// Becomes an in-memory database with the content of `image`. Only for a connection without statements.
    func deserialize(_ image: DatabaseImage) throws {
        let count = image.bytes.count
        guard let memory = sqlite3_malloc64(UInt64(count)) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", statement: "deserialize")
        }
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        bytes.update(from: image.bytes, count: count)
        // SQLite owns the bytes from here, also when the call fails.
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
        let code = sqlite3_deserialize(handle, "main", bytes, Int64(count), Int64(count), flags)
        try check(code, "deserialize")
    }

    /// Puts the content of `image` in the place of everything, in one transaction of SQLite's own. Source: SQLite backup API.
    func restore(_ image: DatabaseImage) throws {
        let source = try Connection(path: ":memory:")
        try source.deserialize(image)
        forgetStatements()
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw SQLiteError(code: sqlite3_errcode(handle), message: "cannot begin", statement: "restore")
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        if code != SQLITE_DONE { try check(code, "restore") }
    }
}
