import CSQLite

/// One prepared statement, kept by its connection to be used again.
final class Statement {
    let handle: OpaquePointer
    private let columns: [String]

    init(_ handle: OpaquePointer) {
        self.handle = handle
        columns = (0..<sqlite3_column_count(handle)).map { index in
            sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
        }
    }

    deinit { sqlite3_finalize(handle) }

    /// The place of `column`, found by looking through the few there are.
    func index(of column: String) -> Int32? {
        columns.firstIndex(of: column).map(Int32.init)
    }

    func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let value): sqlite3_bind_int64(handle, index, value)
        case .real(let value): sqlite3_bind_double(handle, index, value)
        case .text(let value): bind(value, at: index)
        case .blob(let value): bind(value, at: index)
        }
    }

    /// With a byte count, so that a NUL in the text is kept.
    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text64(
                    handle, index, characters.baseAddress, UInt64(characters.count), transient,
                    UInt8(SQLITE_UTF8))
            }
        }
    }

    private func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
        bytes.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0)
            : sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), transient)
    }

    /// Ready for the next use; bound values, often secrets, are let go.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    func value(at index: Int32) -> SQLValue {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, index))
        case SQLITE_TEXT: .text(text(at: index))
        case SQLITE_BLOB: .blob(blob(at: index))
        default: .null
        }
    }

    private func text(at index: Int32) -> String {
        guard let start = sqlite3_column_text(handle, index) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, index))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func blob(at index: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, index) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
    }
}

/// Tells SQLite to copy bound bytes before the call returns.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
