import PlatformKit
import SQLite

/// What is kept only to explain later why a code is wrong: old counter values, and resources that codes were right for.
enum Trail {
    /// Notes an accepted code; writes only once in a while.
    ///
    /// - Parameter before: the activation before it.
    static func note(_ uriID: String?, from before: Activation, to counter: Int, in turn: Turn) throws {
        if let uriID { try turn.save(SeenResource(uriID: uriID)) }
        let step = CounterMark.distance
        guard before.counter == 0 || before.counter / step != counter / step,
            let data = before.counterData?.bytes
        else { return }
        try turn.save(CounterMark(activation: before.id, counter: before.counter, data: data))
        try turn.db.delete(
            CounterMark.self, where: "activation = \(before.id) AND counter < \(counter - 3 * step)")
    }
}

/// A point on the way of a counter. Old values are found again for at least ``distance`` steps, and for fewer than three times as many.
struct CounterMark: Record, Equatable {
    static let distance = 64
    static let table = Table("powerauth_counter_mark", key: "activation", "counter", order: "counter")
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_counter_mark (
            activation TEXT NOT NULL,
            counter INTEGER NOT NULL,
            data BLOB NOT NULL, -- CTR_DATA of that counter
            PRIMARY KEY (activation, counter)
        ) STRICT, WITHOUT ROWID
        """
    ]

    let activation: String
    let counter: Int
    let data: [UInt8]

    enum CodingKeys: String, CodingKey { case activation, counter, data }
}

/// A resource that a code was right for in this world.
struct SeenResource: Record, Equatable {
    static let table = Table("powerauth_resource", key: "uri_id", order: "position DESC", limit: 200)
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_resource (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            uri_id TEXT NOT NULL UNIQUE
        ) STRICT
        """
    ]

    let uriID: String

    enum CodingKeys: String, CodingKey { case uriID = "uri_id" }
}
