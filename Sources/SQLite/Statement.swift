import CSQLite

/// One prepared statement. Owned by a ``Connection`` and used under the lock of its ``Database``.
final class Statement {
    let handle: OpaquePointer
    let text: StatementText
    let isReadOnly: Bool
    private(set) var isBusy = false
    /// When the statement was last taken, on the connection's count of uses.
    private(set) var lastUse = 0
    /// Bytes that the rows read in this run take, and those of them that are reserved.
    private var (held, reserved) = (0, 0)

    private let parameterCount: Int
    private var columns: [String] = []
    private var columnsPreparation: Int32 = -1
    private var nextColumn = 0

    /// - Throws: when the text is wrong, empty, or more than one statement.
    init(_ text: StatementText, on connection: OpaquePointer) throws {
        var (prepared, used): (OpaquePointer?, Int) = (nil, 0)
        let code = text.bytes.withUnsafeBytes { bytes in
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(
                connection, start, Int32(clamping: bytes.count), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared,
                &tail)
            if let start, let tail { used = tail - start }
            return code
        }
        guard code == SQLITE_OK, let prepared else {
            throw code == SQLITE_OK
                ? SQLiteError(code: SQLITE_MISUSE, message: "no statement", statement: text.description)
                : SQLiteError(
                    code: code, message: String(cString: sqlite3_errmsg(connection)),
                    statement: text.description)
        }
        handle = prepared
        self.text = text
        isReadOnly = sqlite3_stmt_readonly(prepared) != 0
        parameterCount = Int(sqlite3_bind_parameter_count(prepared))
        let rest = String(decoding: text.bytes[used...], as: UTF8.self)
        guard rest.allSatisfy({ $0.isWhitespace || $0 == ";" }) else {
            throw SQLiteError(
                code: SQLITE_MISUSE, message: "more than one statement", statement: text.description)
        }
    }

    deinit { sqlite3_finalize(handle) }

    func take(at use: Int) {
        isBusy = true
        lastUse = use
        (held, reserved) = (0, 0)
    }

    /// Ends the run: no row, no bound value and no lock is kept.
    func rest() {
        sqlite3_reset(handle)
        if parameterCount > 0 { sqlite3_clear_bindings(handle) }
        isBusy = false
    }

    func bind(_ values: [SQLValue]) throws {
        guard values.count == parameterCount else {
            throw SQLiteError(
                code: SQLITE_RANGE, message: "\(parameterCount) parameters, \(values.count) values",
                statement: text.description)
        }
        var index: Int32 = 1
        for value in values {
            let code = bind(value, at: index)
            if code != SQLITE_OK { throw failure(code) }
            index += 1
        }
    }

    /// Whether there is a row to read.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Counts a value that is read from the row.
    ///
    /// - Parameter bytes: as many as it takes.
    func hold(_ bytes: Int) { held += bytes }

    /// Tells that the row was not kept.
    func drop() { held = 0 }

    /// Reserves what the rows read so far take, of which the first mebibyte is free.
    ///
    /// - Throws: whatever ``RowMemory/current`` refuses with.
    func reserve() throws {
        guard held - reserved >= RowMemory.step else { return }
        try RowMemory.current?.take(held - reserved)
        reserved = held
    }

    /// The place of a column in the result.
    ///
    /// The search starts behind the column found last, as readers mostly ask in the order of the table.
    func index(of column: String) -> Int32? {
        loadColumns()
        let found =
            columns[nextColumn...].firstIndex(of: column) ?? columns[..<nextColumn].firstIndex(of: column)
        guard let found else { return nil }
        nextColumn = found + 1
        return Int32(found)
    }

    var columnNames: [String] {
        loadColumns()
        return columns
    }

    /// Reads the names once, and again when SQLite has prepared the statement anew for a changed schema.
    private func loadColumns() {
        let preparation = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        if preparation == columnsPreparation { return }
        columnsPreparation = preparation
        nextColumn = 0
        columns = (0..<sqlite3_column_count(handle)).map { index in
            sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let value): return sqlite3_bind_int64(handle, index, value)
        case .real(let value): return sqlite3_bind_double(handle, index, value)
        case .text(var value):
            return value.withUTF8 { bytes in bind(text: bytes, at: index) }
        case .blob(let value):
            // A null pointer would bind NULL instead of no bytes.
            if value.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
            return sqlite3_bind_blob64(handle, index, value, UInt64(value.count), transient)
        }
    }

    private func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) -> Int32 {
        text.withMemoryRebound(to: CChar.self) { characters in
            // A null pointer would bind NULL instead of empty text.
            guard let start = characters.baseAddress else {
                return sqlite3_bind_text64(handle, index, "", 0, transient, UInt8(SQLITE_UTF8))
            }
            return sqlite3_bind_text64(
                handle, index, start, UInt64(characters.count), transient, UInt8(SQLITE_UTF8))
        }
    }

    private func failure(_ code: Int32) -> SQLiteError {
        let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
        return SQLiteError(code: code, message: message, statement: text.description)
    }
}

/// Tells SQLite to copy bound bytes before the call returns.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
