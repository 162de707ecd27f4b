package import SQLite

/// The memory of all clients, of which an answer as long as its world is large reserves what it takes while it is made.
package struct WorkMemory: Sendable {
    /// Why an answer cannot be made.
    package enum Shortage: Error {
        /// Bytes that others have given back in a moment.
        case now(needed: Int)
        /// Bytes that there are never, with all that there are.
        case ever(needed: Int, most: Int)

        /// A sentence for the developer.
        package var explanation: String {
            switch self {
            case .now(let needed):
                "Other answers take up the memory that this one needs while it is made, \(needed) bytes; try again in a second."
            case .ever(let needed, let most):
                "This answer takes \(needed) bytes of memory while it is made, more than the \(most) that there are for all clients; "
                    + "ask for less at once, or give the program more memory, or a larger part of it for this (--body-memory)."
            }
        }
    }

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

    /// The same memory, of which what is held may take a part alone.
    ///
    /// - Parameter parts: one of so many.
    package func part(oneOf parts: Int) -> WorkMemory {
        most == .max ? self : WorkMemory(most: most / parts, reserve: reserve, giveBack: giveBack)
    }

    package static let unlimited = WorkMemory(most: .max, reserve: { _ in true }, giveBack: { _ in })

    /// What `body` makes, with `bytes` reserved for it meanwhile.
    ///
    /// - Throws: ``Shortage``, and what `body` throws.
    package func holding<Result>(_ bytes: Int, _ body: () throws -> Result) throws -> Result {
        try take(bytes)
        defer { giveBack(bytes) }
        return try body()
    }

    /// What `body` makes, with what the rows take that it reads reserved meanwhile, of a list that is long.
    ///
    /// - Throws: what `body` throws, ``Shortage`` among it where it does not catch that.
    package func holdingRows<Result>(_ body: () throws -> Result) rethrows -> Result {
        if most == .max { return try body() }
        let rows = RowMemory { bytes, held in try take(bytes, besides: held) }
        defer { if rows.held > 0 { giveBack(rows.held) } }
        return try RowMemory.$current.withValue(rows, operation: body)
    }

    /// - Parameter held: what the same answer has reserved before.
    private func take(_ bytes: Int, besides held: Int = 0) throws(Shortage) {
        let needed = bytes + held
        guard needed <= most else { throw .ever(needed: needed, most: most) }
        guard reserve(bytes) else { throw .now(needed: needed) }
    }
}

extension Database {
    /// Bytes of the file that it is, or would be.
    ///
    /// - Throws: `SQLiteError`.
    package func fileBytes() throws -> Int {
        try read { db in
            try db.value(Int.self, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
                ?? 0
        }
    }
}
