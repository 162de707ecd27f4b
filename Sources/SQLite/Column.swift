import CSQLite

/// One column of the row that a statement stands on.
package struct Column {
    let statement: OpaquePointer
    let index: Int32

    var type: Int32 { sqlite3_column_type(statement, index) }

    /// The name of the type that the column holds in this row.
    var typeName: String {
        switch type {
        case SQLITE_INTEGER: "INTEGER"
        case SQLITE_FLOAT: "REAL"
        case SQLITE_TEXT: "TEXT"
        case SQLITE_BLOB: "BLOB"
        default: "NULL"
        }
    }
}
