/// A value that can be built from a row.
package protocol RowDecodable {
    init(row: Row) throws
}
