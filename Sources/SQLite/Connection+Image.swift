import CSQLite

extension Connection {
    /// Bytes 18 and 19 of the file header: 2 for a database in WAL mode, 1 for any other.
    /// Source: SQLite file format §1.3.2.
    private static let journalVersionBytes = 18..<20

    /// The content of a file as bytes, marked as not in WAL mode: only then can it be opened in memory.
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

    /// How the tables were made and where they begin, as one text: the same for no two databases that differ in that.
    func schemaText() throws -> String {
        try value(
            String.self,
            """
            SELECT group_concat(entry, char(30)) FROM
                (SELECT type || char(31) || name || char(31) || tbl_name || char(31) || rootpage || char(31) || ifnull(sql, '')
                    AS entry FROM sqlite_schema ORDER BY rowid)
            """) ?? ""
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

    private func failure(_ code: Int32, _ call: String) -> SQLiteError {
        SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), statement: call)
    }
}
