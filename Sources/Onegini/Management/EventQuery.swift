import Essentials
import HTTP
import PlatformKit
import SQLite

/// What the events API is asked for. Filters are ANDed. Source: Token Server documentation, events API.
struct EventQuery: Sendable {
    /// Names in one filter; more are refused.
    static let typeLimit = 100

    let page: ListPage
    /// Compared without regard to case.
    var userID: String?
    var clientID: String?
    var transactionID: String?
    /// Names of the catalogue; any of them fits. Empty for all.
    var types: [String] = []
    var excludedTypes: [String] = []
    /// Milliseconds since 1970 UTC, both included unless said otherwise.
    var start: Int?
    var end: Int?
    var excludesEnd = false

    /// - Throws: ``AdministrationRefusal/invalid(_:)`` with every parameter that is wrong.
    init(_ form: Form) throws {
        userID = form["user_id"]
        clientID = form["client_id"]
        transactionID = form["transaction_id"]
        types = form.values(of: "event_type")
        excludedTypes = form.values(of: "exclude_event_type")
        var faults: [Members.Fault] = []
        func number(_ name: String, _ range: ClosedRange<Int>) -> Int? {
            guard let text = form[name] else { return nil }
            if let number = Int(text), range.contains(number) { return number }
            let reason =
                "must be a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text.prefix(40))”"
            faults.append(.init(name, reason: reason))
            return nil
        }
        page = ListPage(number: number("page", 0...1_000_000) ?? 0, size: number("size", 1...1000) ?? 20)
        start = number("start_date", 0...Self.lastDate)
        end = number("end_date", 0...Self.lastDate)
        switch form["end_date_exclusive"]?.asciiLowercased {
        case "true": excludesEnd = true
        case nil, "false": excludesEnd = false
        case .some(let text):
            faults.append(
                .init("end_date_exclusive", reason: "must be true or false, not “\(text.prefix(40))”")
            )
        }
        for (name, values) in [("event_type", types), ("exclude_event_type", excludedTypes)]
        where values.count > Self.typeLimit {
            faults.append(
                .init(name, reason: "came \(values.count) times, at most \(Self.typeLimit) are read"))
        }
        if !faults.isEmpty { throw AdministrationRefusal.invalid(faults) }
    }

    /// The end of the year 9999, in milliseconds.
    private static let lastDate = 253_402_300_799_999
}

extension Connection {
    /// One page of what fits, the newest first, and how many fit in all.
    func events(_ query: EventQuery) throws -> (events: [Event], total: Int) {
        let events = try all(
            Event.self, where: query.condition, order: "occurred DESC, position DESC",
            limit: query.page.size, offset: query.page.offset)
        return (events, try count(Event.self, where: query.condition))
    }
}

extension EventQuery {
    fileprivate var condition: SQL {
        var parts: [SQL] = []
        if let userID { parts.append("user_id = \(userID) COLLATE NOCASE") }
        if let clientID { parts.append("client_id = \(clientID)") }
        if let transactionID { parts.append("transaction_id = \(transactionID)") }
        if !types.isEmpty { parts.append("event_type IN (\(fragment: Self.list(types)))") }
        if !excludedTypes.isEmpty {
            parts.append("event_type NOT IN (\(fragment: Self.list(excludedTypes)))")
        }
        if let start { parts.append("occurred >= \(start)") }
        if let end { parts.append(excludesEnd ? "occurred < \(end)" : "occurred <= \(end)") }
        return parts.reduce("TRUE") { "\(fragment: $0) AND \(fragment: $1)" }
    }

    private static func list(_ types: [String]) -> SQL {
        types.dropFirst().reduce("\(types[0])") { "\(fragment: $0), \($1)" }
    }
}
