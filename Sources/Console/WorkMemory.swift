import HTTP
import SQLite

/// The memory of all clients, of which an answer as long as its world is large reserves what it takes while it is made.
package struct WorkMemory: Sendable {
    /// Bytes that there are at all.
    private let most: Int
    private let reserve: @Sendable (Int) -> Bool
    private let giveBack: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - reserve: false when so many bytes are not there now.
    ///   - giveBack: what was reserved.
    package init(
        most: Int, reserve: @escaping @Sendable (Int) -> Bool, giveBack: @escaping @Sendable (Int) -> Void
    ) {
        (self.most, self.reserve, self.giveBack) = (most, reserve, giveBack)
    }

    package static let unlimited = WorkMemory(most: .max, reserve: { _ in true }, giveBack: { _ in })

    /// What `body` makes, with `bytes` reserved for it meanwhile.
    ///
    /// - Throws: ``ControlError/busy(_:)`` when they are not there now, ``ControlError/tooLarge(_:)`` when there are never so many.
    func holding<Result>(_ bytes: Int, _ body: () throws -> Result) throws -> Result {
        guard bytes <= most else {
            throw ControlError.tooLarge(
                "This answer takes \(bytes) bytes of memory while it is made, more than the \(most) that there are for all clients; "
                    + "give the program more memory, or a larger part of it for this (--body-memory).")
        }
        guard reserve(bytes) else {
            throw ControlError.busy(
                "Other answers take up the memory that this one needs while it is made, \(bytes) bytes; try again in a second."
            )
        }
        defer { giveBack(bytes) }
        return try body()
    }
}

extension Database {
    /// Bytes of the file that it is, or would be.
    ///
    /// - Throws: `SQLiteError`.
    func fileBytes() throws -> Int {
        try read { db in
            try db.value(Int.self, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
                ?? 0
        }
    }
}
