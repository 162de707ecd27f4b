import CSQLite

/// One column of the row that a statement stands on.
package struct Column {
    /// Outlives the column, which is read while its statement stands on the row.
    unowned(unsafe) let owner: Statement
    let index: Int32
    /// Whether a value that would be repaired is none; see ``Row/isStrict``.
    var isStrict = false

    var statement: OpaquePointer { owner.handle }

    var type: Int32 { sqlite3_column_type(statement, index) }

    /// The name of the type that the column holds in this row, with the number where that is what may be wrong.
    var typeName: String {
        switch type {
        case SQLITE_INTEGER: isStrict ? "INTEGER \(sqlite3_column_int64(statement, index))" : "INTEGER"
        case SQLITE_FLOAT: "REAL"
        case SQLITE_TEXT: "TEXT"
        case SQLITE_BLOB: "BLOB"
        default: "NULL"
        }
    }
}
