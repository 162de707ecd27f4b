/// A database was written by a newer version of the program: it has seen steps that this one does not know.
package struct SchemaTooNew: Error, Equatable, CustomStringConvertible {
    package let name: String
    package let applied: Int
    package let known: Int

    package var description: String {
        "the database is newer than this program: its tables of \(name) are at step \(applied), "
            + "the program knows \(known)"
    }
}
