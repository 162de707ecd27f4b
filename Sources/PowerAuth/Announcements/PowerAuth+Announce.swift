import SQLite

extension PowerAuth {
    /// Hands news to callbacks and pushes. Never inside a transaction.
    func announce(_ news: [News]) throws {
        guard !news.isEmpty else { return }
        try callBack(about: news)
        for item in news { try push(about: item) }
    }
}
