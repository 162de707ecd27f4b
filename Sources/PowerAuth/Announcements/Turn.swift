import Essentials
import PlatformKit
import SQLite

/// One change of the world: a transaction, its moment, and the news that it makes.
struct Turn {
    let db: Connection
    let now: Date
    var news: [News] = []

    init(db: Connection, now: Date) { (self.db, self.now) = (db, now) }
}

extension PowerAuth {
    /// One transaction. Its news is announced after it, and only when it succeeded: a refusal that must be remembered is returned
    /// from the closure and thrown after it.
    func change<Value: Sendable>(_ body: (inout Turn) throws -> Value) throws -> Value {
        let now = services.clock.now()
        let (value, news) = try database.write { db -> (Value, [News]) in
            var turn = Turn(db: db, now: now)
            try expireOverdueOperations(in: &turn)
            let value = try body(&turn)
            return (value, turn.news)
        }
        try announce(news)
        return value
    }
}
