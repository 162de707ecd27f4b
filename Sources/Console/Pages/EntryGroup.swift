import PlatformKit

/// A request with the events that it caused, or events that no request caused: one line of the journal's page.
struct EntryGroup {
    private(set) var request: JournalEntry?
    /// Oldest first.
    private(set) var events: [JournalEntry] = []

    /// Groups of entries that come newest first; the groups too are newest first.
    static func groups(of entries: [JournalEntry]) -> [EntryGroup] {
        var groups: [EntryGroup] = []
        var indices: [String: Int] = [:]
        for entry in entries {
            var index = entry.correlation.flatMap { indices[$0] }
            // A client may use its id for several requests.
            if let found = index, entry.exchange != nil, groups[found].request != nil { index = nil }
            let place = index ?? groups.count
            if index == nil {
                groups.append(EntryGroup())
                if let correlation = entry.correlation { indices[correlation] = place }
            }
            groups[place].add(entry)
        }
        return groups
    }

    /// Id of the request, or of the first event.
    var id: Int { (request ?? events.first)?.id ?? 0 }

    /// Id of the entry that came last.
    var newestID: Int { max(request?.id ?? 0, events.last?.id ?? 0) }

    /// The request without what it caused.
    var alone: EntryGroup { EntryGroup(request: request) }

    private mutating func add(_ entry: JournalEntry) {
        if entry.exchange != nil { request = entry } else { events.insert(entry, at: 0) }
    }
}
