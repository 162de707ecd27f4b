import SQLite

/// Mobile authentication transactions, from their start to a day after their end.
struct TransactionStore: Sendable {
    static let migrations: [SQL] = []

    let database: Database
}
