import HTTP
import PlatformKit
import Synchronization

/// One client that follows a journal.
///
/// It listens first and replays then; what is written meanwhile waits, and is sent after the replay unless it was part of it.
/// So nothing is missing and nothing comes twice.
final class JournalFeed: Sendable {
    private struct State {
        /// What came before the replay was done; nil afterwards.
        var waiting: [JournalEntry]? = []
        var lastID = 0
    }

    private let journal: Journal
    private let query: Journal.Query
    private let after: Int?
    private let extent: EntryCache.Extent
    private let cache: EntryCache
    private let writer: BodyStream.Writer
    private let state = Mutex(State())

    /// - Parameter after: replay what has a greater id; nil replays nothing.
    init(
        _ journal: Journal, _ query: Journal.Query, after: Int?, _ extent: EntryCache.Extent,
        _ cache: EntryCache, _ writer: BodyStream.Writer
    ) {
        self.journal = journal
        self.query = query
        self.after = after
        self.extent = extent
        self.cache = cache
        self.writer = writer
    }

    /// - Returns: what ends the listening.
    func start() -> @Sendable () -> Void {
        guard writer.write(EventText.hello) else { return {} }
        // The journal calls under its lock, so the listener takes only this feed's own and calls nobody but the writer.
        let cancel = journal.listen({ [self] in hear($0) }, ended: writer.close)
        let missed = missed()
        state.withLock { state in
            for entry in missed + (state.waiting ?? []) { send(entry, &state) }
            state.waiting = nil
        }
        return cancel
    }

    private func hear(_ entry: JournalEntry) {
        guard query.fits(entry) else { return }
        state.withLock { state in
            if state.waiting == nil { send(entry, &state) } else { state.waiting?.append(entry) }
        }
    }

    /// Oldest first.
    private func missed() -> [JournalEntry] {
        guard let after else { return [] }
        var query = query
        // A cursor ahead of the journal is from before the program was started again: ids began anew.
        let newest = journal.entries(.newest).first?.id ?? 0
        query.after = after > newest ? 0 : after
        query.limit = Journal.entryLimit
        return journal.entries(query).reversed()
    }

    private func send(_ entry: JournalEntry, _ state: inout State) {
        guard entry.id > state.lastID else { return }
        state.lastID = entry.id
        do {
            _ = writer.write(try cache.event(entry, extent, of: journal))
        } catch {
            // Cannot be written as JSON: the client connects again and goes on behind it.
            writer.close()
        }
    }
}

extension Journal.Query {
    fileprivate static var newest: Journal.Query {
        var query = Journal.Query()
        query.limit = 1
        return query
    }
}
