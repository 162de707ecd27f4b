import HTTP

/// What the events API is asked for. Filters are ANDed. Source: Token Server documentation, events API.
struct EventQuery: Sendable {
    /// Names in one filter; more are refused.
    static let typeLimit = 100

    /// Counted from 0.
    var page = 0
    var size = 20
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

    var offset: Int { page * size }

    /// - Throws: ``ManagementError/invalid(_:)`` with every parameter that is wrong.
    init(_ form: Form) throws {
        userID = form["user_id"]
        clientID = form["client_id"]
        transactionID = form["transaction_id"]
        types = form.values(of: "event_type")
        excludedTypes = form.values(of: "exclude_event_type")
        var faults: [ManagementError.Fault] = []
        func number(_ name: String, _ range: ClosedRange<Int>) -> Int? {
            guard let text = form[name] else { return nil }
            if let number = Int(text), range.contains(number) { return number }
            let reason =
                "must be a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text.prefix(40))\""
            faults.append(.init(name: name, reason: reason))
            return nil
        }
        page = number("page", 0...1_000_000) ?? 0
        size = number("size", 1...1000) ?? 20
        start = number("start_date", 0...Self.lastDate)
        end = number("end_date", 0...Self.lastDate)
        switch form["end_date_exclusive"]?.lowercased() {
        case "true": excludesEnd = true
        case nil, "false": excludesEnd = false
        case .some(let text):
            faults.append(
                .init(name: "end_date_exclusive", reason: "must be true or false, not \"\(text.prefix(40))\"")
            )
        }
        for (name, values) in [("event_type", types), ("exclude_event_type", excludedTypes)]
        where values.count > Self.typeLimit {
            faults.append(
                .init(name: name, reason: "came \(values.count) times, at most \(Self.typeLimit) are read"))
        }
        if !faults.isEmpty { throw ManagementError.invalid(faults) }
    }

    /// The end of the year 9999, in milliseconds.
    private static let lastDate = 253_402_300_799_999
}
