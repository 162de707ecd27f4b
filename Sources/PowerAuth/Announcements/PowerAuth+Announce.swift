import SQLite

extension PowerAuth {
    static let announcementMigrations: [SQL] = []

    /// Hands news to callbacks and pushes. Never inside a transaction.
    func announce(_ news: [News]) throws {}
}
