import Synchronization

/// How much of what happens in a world its journal keeps.
package struct JournalRoom: Sendable, Equatable {
    /// The latest.
    let entries: Int
    /// Of all of them together.
    let bytes: Int
    /// Of one body, from its beginning.
    let bodyBytes: Int

    package static let standard = JournalRoom(
        entries: Journal.entryLimit, bytes: Journal.byteLimit, bodyBytes: JournalBody.limit)
    /// Of a program whose journal becomes a recording: bodies are whole, as far as they are held at all. What is compared with it reads as
    /// many entries, and a file twice as large.
    package static let recording = JournalRoom(entries: 20_000, bytes: 64 << 20, bodyBytes: 4 << 20)
}

/// The latest requests and events of a world, in memory: 10,000 entries or 16 MiB, whichever is reached first, and more in a recording.
/// Fewer where the journals of all worlds together have too much.
///
/// It is a window, not a record: a data file does not keep it.
package final class Journal: Sendable {
    package typealias Query = JournalQuery

    package static let entryLimit = 10_000
    package static let byteLimit = 16 * 1024 * 1024

    private struct State {
        var window: JournalWindow
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
        var isClosed = false
    }

    private struct Listener: Sendable {
        let hear: @Sendable (JournalEntry) -> Void
        let ended: @Sendable () -> Void
    }

    private let state: Mutex<State>
    let room: JournalRoom
    /// When it was begun, by this computer's clock.
    package let beginning = ContinuousClock.now
    private let looks = SharedLooks()
    private let budget: KeptBudget

    /// - Parameter budget: of the journals of all worlds.
    package init(budget: KeptBudget = KeptBudget(most: Journal.byteLimit), room: JournalRoom = .standard) {
        (self.budget, self.room) = (budget, room)
        let bytes = min(room.bytes, budget.most)
        state = Mutex(State(window: JournalWindow(entries: room.entries, bytes: bytes)))
    }

    deinit { budget.leave(ObjectIdentifier(self), bytes: state.withLock { $0.window.bytes }) }

    /// Newest first.
    package func entries(_ query: Query = Query()) -> [JournalEntry] {
        var found: [JournalEntry] = []
        var bytes = 0
        var next = query.before
        // In parts, and looked at outside of the lock: nobody who writes waits for a search through all of it.
        while true {
            let part = state.withLock { $0.window.entries(before: next, atMost: Self.partSize) }
            for entry in part.lazy.map(\.entry) {
                if let after = query.after, entry.id <= after { return found }
                if found.count == query.limit { return found }
                guard query.fits(entry) else { continue }
                if let most = query.byteLimit {
                    bytes += entry.weight
                    if bytes > most, !found.isEmpty { return found }
                }
                found.append(entry)
            }
            guard let last = part.last else { return found }
            next = last.entry.id
        }
    }

    /// Entries that had to go for want of room, since the journal was begun or cleared.
    package var lost: Int { state.withLock { $0.window.lost } }

    private static let partSize = 128
    /// Bytes of such a part; a single entry may have more.
    private static let partBytes = 1 << 20

    /// The id of the newest entry that there ever was; 0 before the first.
    package var lastID: Int { state.withLock { $0.window.lastID } }

    /// Some of those that fit, oldest first, for who goes through all of them a part at a time.
    ///
    /// - Returns: nil when there are no more; and where the next part begins.
    package func part(after id: Int, through last: Int, _ query: Query) -> (
        entries: [JournalEntry], next: Int
    )? {
        let part = state.withLock { $0.window.entries(after: id, through: last, atMost: Self.partSize) }
        var bytes = 0
        let some = part.prefix { kept in
            defer { bytes += kept.entry.weight }
            return bytes < Self.partBytes
        }
        guard let end = some.last else { return nil }
        return (some.lazy.map(\.entry).filter(query.fits), end.entry.id)
    }

    /// Nil when it never was, or is no longer among the latest.
    package func entry(_ id: Int) -> JournalEntry? {
        state.withLock { $0.window.entry(id) }
    }

    /// What wakes a request that waits for an entry that fits; taken before the first look.
    package func occasion(_ query: Query = Query()) -> Occasion {
        let seen = state.withBriefLock { $0.window.lastID }
        return Occasion(
            listen: { [self] ring in
                let stop = listen({ if query.fits($0) { ring() } }, ended: ring)
                if state.withBriefLock({ $0.window.lastID }) != seen { ring() }
                return stop
            }, isOver: { [self] in state.withBriefLock { $0.isClosed } })
    }

    /// What many who wait for the same entry look up, looked up once.
    ///
    /// - Parameter name: what is looked up.
    package func shared<Value: Sendable>(_ name: String, _ look: () throws -> Value) rethrows -> Value {
        try looks.value(name, after: state.withBriefLock { $0.window.lastID }, look)
    }

    package func clear() {
        // Freed outside of the lock, where no other thread waits for it.
        let (_, bytes) = state.withLock { state in
            let bytes = state.window.bytes
            return (state.window.clear(), bytes)
        }
        budget.note(-bytes)
    }

    /// Calls `listener` for every entry from now on, on the thread that wrote it, until the returned closure is called.
    ///
    /// The listener must not wait, and must not call the journal. `ended` is called instead when no entry will come any more,
    /// at once when that is known already.
    package func listen(
        _ listener: @escaping @Sendable (JournalEntry) -> Void, ended: @escaping @Sendable () -> Void = {}
    ) -> @Sendable () -> Void {
        let number = state.withLock { state -> Int? in
            if state.isClosed { return nil }
            state.nextListener += 1
            state.listeners[state.nextListener] = Listener(hear: listener, ended: ended)
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
        let weight = entry.weight
        var entry = entry
        // What is dropped is freed outside of the lock, where no other thread waits for it.
        let (_, change, isFirst) = state.withBriefLock { state in
            let before = state.window.bytes
            let dropped = state.window.append(&entry, weight: weight)
            for listener in state.listeners.values { listener.hear(entry) }
            return (dropped, state.window.bytes - before, entry.id == 1)
        }
        if isFirst { budget.join(self) }
        budget.note(change)
    }

    /// Whether someone listens or waits.
    package var isWatched: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Ends every wait and every stream: the world or the program is ending.
    package func close() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            state.isClosed = true
            return state.listeners
        }
        for listener in listeners.values { listener.ended() }
    }
}

extension Journal: Keeper {
    var keptBytes: Int { state.withBriefLock { $0.window.bytes } }

    func shrink(to bytes: Int) {
        let (_, change) = state.withLock { state in
            let before = state.window.bytes
            return (state.window.shrink(to: bytes), state.window.bytes - before)
        }
        budget.note(change)
    }
}
