import Dispatch
import Synchronization

/// Somebody who listens until it is ended. A struct, because a bare closure in a lock is wrapped anew with each read
/// (swiftlang/swift issue 91348).
package struct Listening: Sendable {
    package let end: @Sendable () -> Void

    package init(end: @escaping @Sendable () -> Void) { self.end = end }
}

/// Wakes those who wait for something to happen in a world: a mail, a journal entry, a changed state.
///
/// Waiting holds no lock and no transaction. Real time limits the waiting, whatever the world's clock says.
package final class Bell: Sendable {
    private struct State {
        var waiters: [Int: DispatchSemaphore] = [:]
        var nextWaiter = 0
        var listeners: [Int: @Sendable () -> Void] = [:]
        var nextListener = 0
        /// By name, in the order of their numbers.
        var watchmen: [String: [(number: Int, look: @Sendable () -> Void)]] = [:]
        var nextWatchman = 0
        var isTicking = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let waits: WaitNotice?

    /// - Parameter waits: is told of every caller that has to wait.
    package init(waits: WaitNotice? = nil) { self.waits = waits }

    /// Nothing will ring for a reason any more.
    package var isClosed: Bool { state.withBriefLock { $0.isClosed } }

    var isWatched: Bool { state.withBriefLock { !$0.waiters.isEmpty || !$0.listeners.isEmpty } }

    /// Tells every waiter to look again.
    package func ring() {
        let (waiters, listeners) = state.withBriefLock {
            (Array($0.waiters.values), Array($0.listeners.values))
        }
        for waiter in waiters { waiter.signal() }
        for listener in listeners { listener() }
    }

    /// Calls `listener` at every ring from now on, on the thread that rings, until the returned closure is called; once more
    /// may follow when a ring is under way then. The listener must not wait.
    package func listen(_ listener: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let number = state.withBriefLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
        return { [self] in state.withBriefLock { _ = $0.listeners.removeValue(forKey: number) } }
    }

    /// Calls `look` once a second of real time, on a thread of the system's, until the returned closure is called: for what time
    /// changes by itself, and nobody would notice. Of several under one name only the first is called.
    package func look(
        everySecond name: String, _ look: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let (number, begins) = state.withBriefLock { state in
            state.nextWatchman += 1
            state.watchmen[name, default: []].append((state.nextWatchman, look))
            defer { state.isTicking = true }
            return (state.nextWatchman, !state.isTicking)
        }
        if begins { tickLater() }
        return { [self] in
            state.withBriefLock { state in
                state.watchmen[name]?.removeAll { $0.number == number }
                if state.watchmen[name]?.isEmpty == true { state.watchmen[name] = nil }
            }
        }
    }

    private func tickLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in self?.tick() }
    }

    private func tick() {
        let looks = state.withBriefLock { state in
            state.isTicking = !state.watchmen.isEmpty && !state.isClosed
            return state.isTicking ? state.watchmen.values.compactMap(\.first?.look) : []
        }
        if looks.isEmpty { return }
        for look in looks { look() }
        tickLater()
    }

    /// Sends every waiter home, now and from now on: the world or the program is ending.
    package func close() {
        state.withBriefLock { $0.isClosed = true }
        ring()
    }

    /// False when the time is over.
    private func rest(on waiter: DispatchSemaphore, until deadline: DispatchTime) -> Bool {
        waits?.begin()
        defer { waits?.end() }
        return waiter.wait(timeout: deadline) == .success
    }

    /// The first value that `look` finds, looking at once and after every ring, for at most `seconds`.
    package func wait<Value>(seconds: Double, for look: () throws -> Value?) rethrows -> Value? {
        if let found = try look() { return found }
        guard seconds > 0 else { return nil }
        let waiter = DispatchSemaphore(value: 0)
        let number = state.withBriefLock { state in
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = waiter
            return state.nextWaiter
        }
        defer { state.withBriefLock { _ = $0.waiters.removeValue(forKey: number) } }
        let deadline = DispatchTime.now() + seconds
        while true {
            // Looked at after enlisting, so that a ring between the two is not lost.
            if let found = try look() { return found }
            if isClosed || !rest(on: waiter, until: deadline) { return try look() }
        }
    }
}
