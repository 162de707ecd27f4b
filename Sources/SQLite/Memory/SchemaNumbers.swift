import Synchronization

/// Numbers for the tables that databases in memory have, so that a connection which goes from one to the other knows whether
/// what it has read of the tables, and every statement that it prepared, still holds.
///
/// Two databases have the same number only if their tables are the same, down to the pages where these begin.
enum SchemaNumbers {
    private static let last = Atomic<UInt32>(0)
    /// More kinds of database than a program has; a test may have more, whose connections then read tables anew.
    private static let limit = 64
    private static let known = Mutex<[String: UInt32]>([:])

    /// One that nothing else has; 0 stands for no tables.
    static func next() -> UInt32 { last.wrappingAdd(1, ordering: .relaxed).newValue }

    static func isSettled(_ number: UInt32) -> Bool {
        number == 0 || known.withLock { $0.values.contains(number) }
    }

    /// The number of tables that were made as `text` says: that of the first database which had them.
    ///
    /// - Parameters:
    ///   - text: ``Connection/schemaText()`` of a database.
    ///   - number: what that database has.
    static func settled(_ text: String, _ number: UInt32) -> UInt32 {
        known.withLock { known in
            if let settled = known[text] { return settled }
            if known.count < limit { known[text] = number }
            return number
        }
    }
}
