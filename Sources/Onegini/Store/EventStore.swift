import Essentials
import HTTP
import SQLite

/// The audit log that the events API reads.
struct EventStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_event (
            position INTEGER PRIMARY KEY,
            event_identifier TEXT NOT NULL, -- UUID
            event_type TEXT NOT NULL, -- the catalogue name in upper case
            client_id TEXT,
            user_id TEXT,
            transaction_id TEXT,
            app_name TEXT,
            client_ip TEXT,
            user_agent TEXT,
            occurred INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    let database: Database

    /// Adds an event. For use inside a transaction that also changes what the event tells; otherwise wrap it in one.
    func add(_ event: Event, in db: Connection) throws {
        try db.insert(event)
    }

    /// One page of what fits, the newest first, and how many fit in all.
    func find(_ query: EventQuery, in db: Connection) throws -> (events: [Event], total: Int) {
        let condition = condition(query)
        let events = try db.all(
            Event.self, where: condition,
            order: "occurred DESC, position DESC LIMIT \(query.size) OFFSET \(query.offset)")
        return (events, try db.count(Event.self, where: condition))
    }

    private func condition(_ query: EventQuery) -> SQL {
        var parts: [SQL] = []
        if let user = query.userID { parts.append("user_id = \(user) COLLATE NOCASE") }
        if let client = query.clientID { parts.append("client_id = \(client)") }
        if let transaction = query.transactionID { parts.append("transaction_id = \(transaction)") }
        if !query.types.isEmpty { parts.append("event_type IN (\(fragment: list(query.types)))") }
        if !query.excludedTypes.isEmpty {
            parts.append("event_type NOT IN (\(fragment: list(query.excludedTypes)))")
        }
        if let start = query.start { parts.append("occurred >= \(start)") }
        if let end = query.end {
            parts.append(query.excludesEnd ? "occurred < \(end)" : "occurred <= \(end)")
        }
        return parts.reduce("TRUE") { "\(fragment: $0) AND \(fragment: $1)" }
    }

    private func list(_ types: [String]) -> SQL {
        types.dropFirst().reduce("\(types[0])") { "\(fragment: $0), \($1)" }
    }
}
