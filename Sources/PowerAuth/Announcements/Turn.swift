import Essentials
import PlatformKit
import SQLite

/// One change of the world: a transaction, its moment, and the news that it makes.
struct Turn {
    let db: Connection
    let now: Date
    var news: [News] = []
    /// How much of the news stays when the turn is refused; nil while nothing of it does.
    private var keptNews: Int?

    init(db: Connection, now: Date) { (self.db, self.now) = (db, now) }

    /// What was changed so far stays, also when a refusal is thrown later on: failures that are counted, requests that must not come
    /// again. Everything else goes with the refusal.
    mutating func keep() throws {
        if keptNews != nil { try db.execute("RELEASE powerauth_kept") }
        try db.execute("SAVEPOINT powerauth_kept")
        keptNews = news.count
    }

    /// - Returns: a refusal after which something was kept; any other error is thrown and rolls everything back.
    fileprivate mutating func outcome<Value>(
        of body: (inout Turn) throws -> Value
    ) throws -> Result<Value, any Error> {
        do {
            return .success(try body(&self))
        } catch let refusal as any Refusal {
            guard let keptNews else { throw refusal }
            try db.execute("ROLLBACK TO powerauth_kept")
            news.removeLast(news.count - keptNews)
            return .failure(refusal)
        }
    }
}

extension PowerAuth {
    /// One transaction. Its news is announced after it.
    ///
    /// A refusal that `body` throws takes everything back but what ``Turn/keep()`` was said of; one that is returned and thrown
    /// after it takes nothing back.
    func change<Value: Sendable>(_ body: (inout Turn) throws -> Value) throws -> Value {
        let now = services.clock.now()
        let (outcome, news) = try database.write { db -> (Result<Value, any Error>, [News]) in
            var turn = Turn(db: db, now: now)
            try expireOverdueOperations(in: &turn)
            return (try turn.outcome(of: body), turn.news)
        }
        try announce(news)
        return try outcome.get()
    }
}

extension PowerAuth {
    /// One turn of an API that devices call. What it checks first, it keeps: see ``Turn/keep()``.
    func exchange<Value: Sendable>(_ body: (inout Turn) throws -> Value) throws -> Value {
        try change { turn in
            do {
                return try body(&turn)
            } catch var refusal as MobileRefusal {
                refusal.generation = try settings(in: turn.db).errorGeneration
                throw refusal
            }
        }
    }
}
