import Essentials
import SQLite

extension EventStore {
    /// One page of what fits, the newest first, and how many fit in all.
    func find(_ query: EventQuery, in db: Connection) throws -> (events: [Event], total: Int) {
        let condition = condition(query)
        let total =
            try db.value(Int.self, "SELECT count(*) FROM onegini_event WHERE \(fragment: condition)") ?? 0
        let events = try db.all(
            Event.self,
            """
            SELECT * FROM onegini_event WHERE \(fragment: condition)
            ORDER BY occurred_at DESC, position DESC LIMIT \(query.size) OFFSET \(query.offset)
            """)
        return (events, total)
    }

    /// Oldest first.
    static func all(in db: Connection) throws -> [Event] {
        try db.all(Event.self, "SELECT * FROM onegini_event ORDER BY position")
    }

    private func condition(_ query: EventQuery) -> SQL {
        var parts: [SQL] = []
        if let user = query.userID { parts.append("subject = \(user) COLLATE NOCASE") }
        if let client = query.clientID { parts.append("client_id = \(client)") }
        if let transaction = query.transactionID { parts.append("transaction_id = \(transaction)") }
        if !query.types.isEmpty { parts.append("type IN (\(fragment: list(query.types)))") }
        if !query.excludedTypes.isEmpty {
            parts.append("type NOT IN (\(fragment: list(query.excludedTypes)))")
        }
        if let start = query.start { parts.append("occurred_at >= \(start)") }
        if let end = query.end {
            parts.append(query.excludesEnd ? "occurred_at < \(end)" : "occurred_at <= \(end)")
        }
        return parts.reduce("TRUE") { "\(fragment: $0) AND \(fragment: $1)" }
    }

    private func list(_ types: [String]) -> SQL {
        types.dropFirst().reduce("\(types[0])") { "\(fragment: $0), \($1)" }
    }
}
