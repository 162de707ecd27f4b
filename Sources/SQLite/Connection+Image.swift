import CSQLite

extension Connection {
    /// Bytes 18 and 19 of the file header: 2 for a database in WAL mode, 1 for any other.
    /// Source: SQLite file format §1.3.2.
    private static let journalVersionBytes = 18..<20

    /// The last byte of the suggested cache size in the file header. Source: SQLite file format §1.3.10.
    private static let cacheSizeByte = 51

    /// The cache of a database in memory is a second copy of its pages; it is kept small, and said in the header
    /// because a PRAGMA would have the schema parsed before anybody asks for it.
    private static let cachedPages: UInt8 = 16

    /// The content as bytes, marked as not in WAL mode: only then can it be opened in memory.
    func image() throws -> DatabaseImage {
        var count: sqlite3_int64 = 0
        let start = sqlite3_serialize(handle, "main", &count, 0)
        defer { sqlite3_free(start) }
        guard let start else {
            if count == 0 { return DatabaseImage(bytes: []) }
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", statement: "serialize")
        }
        var bytes = [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
        for index in Self.journalVersionBytes where index < bytes.count { bytes[index] = 1 }
        return DatabaseImage(bytes: bytes, isSound: true)
    }

    /// Replaces an in-memory content by a copy of `image`.
    func load(_ image: DatabaseImage) throws {
        forgetStatements()
        let count = image.bytes.count
        let copy = sqlite3_malloc64(UInt64(count))?.assumingMemoryBound(to: UInt8.self)
        image.bytes.withUnsafeBufferPointer { bytes in
            if let copy, let start = bytes.baseAddress { copy.update(from: start, count: count) }
        }
        if let copy, count > Self.cacheSizeByte { copy[Self.cacheSizeByte] = Self.cachedPages }
        // SQLite owns the copy from here on, also when the call fails.
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
        let code = sqlite3_deserialize(handle, "main", copy, Int64(count), Int64(count), flags)
        try check(code, "deserialize")
    }

    /// A connection of its own to a copy of `image`.
    ///
    /// - Throws: when the image is not that of a database.
    static func checked(_ image: DatabaseImage) throws -> Connection {
        let copy = try Connection(memory: image)
        try copy.execute("SELECT count(*) FROM sqlite_schema")
        return copy
    }

    /// Replaces the content of a file by that of another connection, whole or not at all.
    ///
    /// Both have the page size that every database of the house has; a file in WAL mode could not take over another.
    func overwrite(with source: Connection) throws {
        forgetStatements()
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw failure(sqlite3_extended_errcode(handle), "backup")
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw failure(code, "backup") }
    }

    func useWriteAheadLog() throws {
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = NORMAL")
    }

    private func check(_ code: Int32, _ call: String) throws {
        if code != SQLITE_OK { throw failure(code, call) }
    }

    private func failure(_ code: Int32, _ call: String) -> SQLiteError {
        SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), statement: call)
    }
}
