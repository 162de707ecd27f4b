import Dispatch
import Essentials
import Synchronization

/// Somebody who listens until it is ended. A struct, because a bare closure in a lock is wrapped anew with each read
/// (swiftlang/swift issue 91348).
package struct Listening: Sendable {
    package let end: @Sendable () -> Void

    package init(end: @escaping @Sendable () -> Void) { self.end = end }
}

/// Rings when something happens in a world that others may wait for: a mail, a changed state.
///
/// A ring can be about topics, such as the recipient of a mail or a device: then those who wait for another topic sleep on.
package final class Bell: Sendable {
    private struct Listener: Sendable {
        let hear: @Sendable () -> Void
    }

    private struct Watchman: Sendable {
        let number: Int
        let look: @Sendable () -> Void
    }

    private struct State {
        /// By topic, then by number.
        var listeners: [String?: [Int: Listener]] = [:]
        var nextListener = 0
        /// By name, in the order of their numbers.
        var watchmen: [String: [Watchman]] = [:]
        var nextWatchman = 0
        var rings = 0
        var isTicking = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let looks = SharedLooks()

    package init() {}

    /// Nothing will ring for a reason any more.
    package var isClosed: Bool { state.withBriefLock { $0.isClosed } }

    package var isWatched: Bool { state.withBriefLock { !$0.listeners.isEmpty } }

    /// How often it has rung.
    private var rings: Int { state.withBriefLock { $0.rings } }

    /// Tells everybody to look again, or those who listen to one of the topics and those who listen to all.
    package func ring(about topics: Set<String>? = nil) {
        let listeners = state.withBriefLock { state in
            state.rings.increment()
            guard let topics else { return state.listeners.values.flatMap(\.values) }
            let concerned = topics.map(Optional.some) + [nil]
            return concerned.flatMap { state.listeners[$0].map { Array($0.values) } ?? [] }
        }
        for listener in listeners { listener.hear() }
    }

    /// Calls `listener` at every ring from now on, on the thread that rings, until the returned closure is called; once more
    /// may follow when a ring is under way then. The listener must not wait.
    ///
    /// - Parameter topic: only at rings that are about it, or about everything.
    package func listen(
        about topic: String? = nil, _ listener: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        listen(about: topic, since: nil, listener)
    }

    /// - Parameter rings: how often it had rung; the listener is called at once when it has since.
    private func listen(
        about topic: String?, since rings: Int?, _ listener: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let (number, isLate) = state.withBriefLock { state in
            state.nextListener += 1
            state.listeners[topic, default: [:]][state.nextListener] = Listener(hear: listener)
            return (state.nextListener, rings.map { $0 != state.rings } ?? false)
        }
        if isLate { listener() }
        return { [self] in
            state.withBriefLock { state in
                state.listeners[topic]?[number] = nil
                if state.listeners[topic]?.isEmpty == true { state.listeners[topic] = nil }
            }
        }
    }

    /// What wakes a request that waits for what rings here; taken before the first look.
    package func occasion(about topic: String? = nil) -> Occasion {
        let rings = self.rings
        return Occasion(
            listen: { [self] in listen(about: topic, since: rings, $0) }, isOver: { [self] in isClosed })
    }

    /// What many who wait look up after the same ring, looked up once.
    ///
    /// - Parameter name: what is looked up.
    func shared<Value: Sendable>(_ name: String, _ look: () throws -> Value) rethrows -> Value {
        try looks.value(name, after: rings, look)
    }

    /// Calls `look` once a second of real time, on a thread of the system's, until the returned closure is called: for what time
    /// changes by itself, and nobody would notice. Of several under one name only the first is called.
    package func look(
        everySecond name: String, _ look: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let (number, begins) = state.withBriefLock { state in
            state.nextWatchman += 1
            state.watchmen[name, default: []].append(Watchman(number: state.nextWatchman, look: look))
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
        let watchmen = state.withBriefLock { state in
            state.isTicking = !state.watchmen.isEmpty && !state.isClosed
            return state.isTicking ? state.watchmen.values.compactMap(\.first) : []
        }
        if watchmen.isEmpty { return }
        for watchman in watchmen { watchman.look() }
        tickLater()
    }

    /// Ends every wait, now and from now on: the world or the program is ending.
    package func close() {
        state.withBriefLock { $0.isClosed = true }
        ring()
    }
}

/// How a handler that calls another server, and waits for it, says so to the server whose thread it holds.
package struct WaitNotice: Sendable {
    package let begin: @Sendable () -> Void
    package let end: @Sendable () -> Void

    package init(begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
        self.begin = begin
        self.end = end
    }
}
