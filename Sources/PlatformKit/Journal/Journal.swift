import HTTP
import Synchronization

/// The latest requests and events of a world, in memory: 10,000 entries or 16 MiB, whichever is reached first.
///
/// It is a window, not a record: a data file does not keep it.
package final class Journal: Sendable {
    package static let entryLimit = 10_000
    package static let byteLimit = 16 * 1024 * 1024

    private struct State {
        /// Oldest first; a slice, so that dropping the oldest moves nothing. Its storage keeps what was dropped until it grows
        /// again, so what is dropped is emptied first.
        var entries: ArraySlice<JournalEntry> = []
        var bytes = 0
        var lastID = 0
        var listeners: [Int: (listener: Listener, ended: @Sendable () -> Void)] = [:]
        var nextListener = 0
        var isClosed = false
    }

    package typealias Listener = @Sendable (JournalEntry) -> Void

    private let state = Mutex(State())
    private let bell = Bell()

    package init() {}

    /// Newest first.
    package func entries(_ query: Query = Query()) -> [JournalEntry] {
        state.withLock { state in
            var found: [JournalEntry] = []
            for entry in state.entries.reversed() {
                if let after = query.after, entry.id <= after { break }
                if found.count == query.limit { break }
                if query.fits(entry) { found.append(entry) }
            }
            return found
        }
    }

    /// The entries that fit, waiting up to `seconds` for the first one.
    package func entries(_ query: Query, waiting seconds: Double) -> [JournalEntry] {
        bell.wait(seconds: seconds) {
            let found = entries(query)
            return found.isEmpty ? nil : found
        } ?? []
    }

    package func clear() {
        state.withLock { state in
            state.entries = []
            state.bytes = 0
        }
    }

    /// Calls `listener` for every entry from now on, on the thread that wrote it, until the returned closure is called.
    ///
    /// The listener must not wait, and must not call the journal. `ended` is called instead when no entry will come any more,
    /// at once when that is known already.
    package func listen(_ listener: @escaping Listener, ended: @escaping @Sendable () -> Void = {})
        -> @Sendable () -> Void
    {
        let number = state.withLock { state -> Int? in
            if state.isClosed { return nil }
            state.nextListener += 1
            state.listeners[state.nextListener] = (listener, ended)
            return state.nextListener
        }
        guard let number else {
            ended()
            return {}
        }
        return { [self] in state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
    }

    /// Numbers the entry, keeps it and tells those who listen or wait. Listeners hear entries in the order of their ids.
    package func append(_ entry: JournalEntry) {
        state.withLock { state in
            var entry = entry
            state.lastID += 1
            entry.id = state.lastID
            state.entries.append(entry)
            state.bytes += entry.weight
            while state.entries.count > Self.entryLimit || state.bytes > Self.byteLimit,
                !state.entries.isEmpty
            {
                Self.dropOldest(&state)
            }
            for (listener, _) in state.listeners.values { listener(entry) }
        }
        bell.ring()
    }

    private static func dropOldest(_ state: inout State) {
        let first = state.entries.startIndex
        state.bytes -= state.entries[first].weight
        state.entries[first] = JournalEntry(.event, at: state.entries[first].at)
        state.entries.removeFirst()
    }

    /// Whether someone listens or waits.
    var isWatched: Bool { state.withLock { !$0.listeners.isEmpty } || bell.isWatched }

    /// Sends everyone home who waits or listens: the world or the program is ending.
    package func close() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            state.isClosed = true
            return state.listeners
        }
        for (_, ended) in listeners.values { ended() }
        bell.close()
    }
}

extension JournalEntry {
    /// Bytes that the entry takes, roughly.
    fileprivate var weight: Int {
        let texts = [explanation, subject, exchange?.target].reduce(256) { $0 + ($1?.utf8.count ?? 0) }
        guard let exchange else { return texts }
        let headers = exchange.requestHeaders.fields + exchange.responseHeaders.fields
        return texts + exchange.requestBody.bytes.count + exchange.responseBody.bytes.count
            + headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    }
}
