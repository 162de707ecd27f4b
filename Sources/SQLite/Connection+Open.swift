import CSQLite

/// Opens a handle with the settings that every database of the house has.
///
/// - Parameter vfs: nil for the system's own files.
private func openHandle(_ path: String, vfs: String? = nil) throws -> OpaquePointer {
    configureLibrary()
    var opened: OpaquePointer?
    // NOMUTEX: whoever holds a connection is alone with it.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, vfs)
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

/// Settings of the whole library, which it takes before its first use alone.
func configureLibrary() { _ = configured }

/// SQLite's count of its memory takes a lock of the whole process at every allocation; nobody reads it here.
private let configured = csqlite_set_memory_statistics(0)

extension Connection {
    /// See ``Page/size``.
    private static let pageSize: SQL = "PRAGMA page_size = 1024"

    /// Statements that a connection keeps. Each costs some 4 KiB.
    private enum StatementLimit {
        /// A few connections serve all worlds.
        static let memory = 256
        /// Each world has a connection of its own.
        static let file = 32
    }

    /// A connection to databases in memory, which enters one after the other.
    convenience init() throws {
        try StageVFS.register()
        let stage = Stage()
        let handle = try openHandle(StageVFS.path(of: stage), vfs: StageVFS.name)
        self.init(handle, stage: stage, statementLimit: StatementLimit.memory)
        try execute(Self.pageSize)
        try execute("PRAGMA journal_mode = MEMORY")
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA synchronous = OFF")
        try execute("PRAGMA cache_size = 256")
        forgetStatements()
    }

    convenience init(file path: String) throws {
        self.init(try openHandle(path), stage: nil, statementLimit: StatementLimit.file)
        // Long enough for a program that is just ending.
        sqlite3_busy_timeout(handle, 2_000)
        try execute(Self.pageSize)
        // Two programs on one file would each act on what they remember of it.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try useWriteAheadLog()
        // An image that was restored may say less.
        try execute("PRAGMA cache_size = -2000")
    }
}
