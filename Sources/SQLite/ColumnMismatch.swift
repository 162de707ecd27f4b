/// A row did not hold what its reader asked for.
package struct ColumnMismatch: Error, Equatable, CustomStringConvertible {
    package let column: String
    package let expected: String
    package let found: String

    package var description: String { "column \(column): expected \(expected), found \(found)" }
}
