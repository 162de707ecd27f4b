import CSQLite

/// Opens a handle with the settings that every database of the house has.
func openHandle(_ path: String) throws -> OpaquePointer {
    _ = configured
    var opened: OpaquePointer?
    // NOMUTEX: the lock of `Database` is the only one needed.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
        let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
        sqlite3_close_v2(opened)
        throw SQLiteError(code: code, message: message, statement: "open \(path)")
    }
    sqlite3_extended_result_codes(opened, 1)
    csqlite_set_lookaside(opened, 0, 0)
    csqlite_enable_foreign_keys(opened)
    csqlite_refuse_double_quoted_strings(opened)
    return opened
}

/// SQLite's count of its memory takes a lock of the whole process at every allocation; nobody reads it here.
private let configured = csqlite_set_memory_statistics(0)

extension Connection {
    /// Because a world has some forty tables of a few rows, each with a page of its own at least.
    private static let smallPages: SQL = "PRAGMA page_size = 1024"

    convenience init(memory image: DatabaseImage?) throws {
        try self.init(path: ":memory:")
        if let image {
            try load(image)
        } else {
            try execute(Self.smallPages)
        }
    }

    convenience init(file path: String) throws {
        try self.init(path: path)
        // Long enough for a program that is just ending.
        sqlite3_busy_timeout(handle, 2_000)
        try execute(Self.smallPages)
        // Two programs on one file would each act on what they remember of it.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try useWriteAheadLog()
        // An image that was restored may say less.
        try execute("PRAGMA cache_size = -2000")
    }
}
