import HTTP
import Synchronization

/// The latest requests and events of a world, in memory: 10,000 entries or 16 MiB, whichever is reached first.
///
/// It is a window, not a record: a data file does not keep it.
package final class Journal: Sendable {
    package static let entryLimit = 10_000
    package static let byteLimit = 16 * 1024 * 1024

    private struct State {
        /// Oldest first; a slice, so that dropping the oldest moves nothing.
        var entries: ArraySlice<Kept> = []
        var bytes = 0
        var lastID = 0
        var listeners: [Int: Listener] = [:]
        var nextListener = 0

        /// Takes out the oldest entries that are beyond the limits.
        mutating func dropSurplus() -> [Kept] {
            guard entries.count > Journal.entryLimit || bytes > Journal.byteLimit else { return [] }
            var dropped: [Kept] = []
            while entries.count > Journal.entryLimit || bytes > Journal.byteLimit,
                let oldest = entries.popFirst()
            {
                bytes -= oldest.weight
                dropped.append(oldest)
            }
            return dropped
        }
    }

    private struct Kept {
        let entry: JournalEntry
        let weight: Int
    }

    package typealias Listener = @Sendable (JournalEntry) -> Void

    private let state = Mutex(State())
    private let bell = Bell()

    package init() {}

    /// Newest first.
    package func entries(_ query: Query = Query()) -> [JournalEntry] {
        state.withLock { state in
            var found: [JournalEntry] = []
            for entry in state.entries.reversed().lazy.map(\.entry) {
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
    /// The listener must not wait, and must not call the journal.
    package func listen(_ listener: @escaping Listener) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
        return { [self] in state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
    }

    /// Numbers the entry, keeps it and tells those who listen or wait. Listeners hear entries in the order of their ids.
    package func append(_ entry: JournalEntry) {
        let weight = entry.weight
        let dropped = state.withLock { state in
            var entry = entry
            state.lastID += 1
            entry.id = state.lastID
            state.entries.append(Kept(entry: entry, weight: weight))
            state.bytes += weight
            for listener in state.listeners.values { listener(entry) }
            return state.dropSurplus()
        }
        // Freed here, where no other thread waits for it.
        _ = dropped
        bell.ring()
    }

    /// Whether someone listens or waits.
    var isWatched: Bool { state.withLock { !$0.listeners.isEmpty } || bell.isWatched }

    /// Sends everyone home who waits.
    package func close() { bell.close() }
}

extension JournalEntry {
    /// Bytes that the entry takes with everything it refers to: each text and list costs an allocation beside its content.
    fileprivate var weight: Int {
        let allocation = 48
        let texts = [explanation, subject, correlation].reduce(400) {
            $0 + allocation + ($1?.utf8.count ?? 0)
        }
        guard let exchange else { return texts }
        let bodies = exchange.requestBody.bytes.count + exchange.responseBody.bytes.count
        return texts + exchange.target.utf8.count + bodies + 6 * allocation
            + exchange.requestHeaders.weight(allocation) + exchange.responseHeaders.weight(allocation)
    }
}

extension Headers {
    /// Name and value are 16 bytes each; up to 15 characters stand in them, longer ones beside.
    fileprivate func weight(_ allocation: Int) -> Int {
        fields.reduce(0) { sum, field in
            let beside = [field.name, field.value].reduce(0) {
                $0 + ($1.utf8.count > 15 ? allocation + $1.utf8.count : 0)
            }
            return sum + 32 + beside
        }
    }
}
