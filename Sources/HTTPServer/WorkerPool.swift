import Sockets
import Synchronization

/// The threads of a server. Each waits for an event and serves it to its end, handler included; so there are as many as
/// handlers that wait, and a few more.
final class WorkerPool: Sendable {
    private struct Roster {
        var nextID = 0
        var working: [Int: Thread] = [:]
        var ended: [Thread] = []
    }

    /// Threads beyond ``fewest`` that stay after handlers have waited, until they were idle for long. More would only be in each other's way when
    /// all compute; with fewer, handlers that wait for some tenths of a millisecond each would end a thread and start the next with each wait,
    /// which costs more than all else about it.
    static let surplus = 4

    private let waits: HandlerWaits
    /// Calls the housekeeper, who hires when nobody is idle.
    private let housekeeper: Wakeup
    private let most: Int
    /// Beside those who say that they wait; at most ``most``.
    private let mostBusy: Int
    private let roster = Mutex(Roster())
    private let left = Wakeup()
    private let living = Atomic<Int>(0)
    private let waiting = Atomic<Int>(0)
    private let watched = Atomic<Bool>(false)

    /// Threads that stay however quiet it is.
    let fewest = max(2, System.processorCount)
    static let idleSeconds = 10.0

    init(most: Int, mostBusy: Int, waits: HandlerWaits, housekeeper: Wakeup) {
        self.waits = waits
        self.most = max(most, fewest)
        self.mostBusy = min(max(mostBusy, fewest), self.most)
        self.housekeeper = housekeeper
    }

    var count: Int { living.load(ordering: .acquiring) }
    var idle: Int { waiting.load(ordering: .acquiring) }

    /// Fewer threads are free to work than there should be.
    var isShort: Bool { count - waits.count < fewest }

    /// More threads are at work than are of use, as far as is known who waits.
    var isCrowded: Bool { count - waits.count > fewest + Self.surplus }

    /// The housekeeper is to look every two milliseconds.
    var isWatched: Bool { watched.load(ordering: .acquiring) }

    func watch() {
        guard !isWatched, watched.exchange(true, ordering: .acquiringAndReleasing) == false else { return }
        housekeeper.call()
    }

    func stopWatching() {
        watched.store(false, ordering: .sequentiallyConsistent)
        if waiting.load(ordering: .sequentiallyConsistent) == 0 { watch() }
    }

    /// After serving an event, before the wait for the next.
    func beginWaiting() { waiting.add(1, ordering: .sequentiallyConsistent) }

    func endWaiting() {
        if waiting.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 { watch() }
    }

    /// Starts up to `wanted` threads that run `body`. They count as waiting from the start, or they would be hired over and
    /// over while they are on their way.
    ///
    /// - Throws: when the system has no more threads; those that it had work.
    func hire(_ wanted: Int, _ body: @escaping @Sendable () -> Void) throws {
        for _ in 0..<max(0, min(wanted, most - count, mostBusy - (count - waits.count))) {
            try roster.withLock { roster in
                let id = roster.nextID
                roster.nextID += 1
                // It cannot leave before it is on the roster: leaving takes the lock.
                roster.working[id] = try Thread {
                    body()
                    self.leave(id)
                }
                living.add(1, ordering: .acquiringAndReleasing)
                beginWaiting()
            }
        }
    }

    /// Whether the calling thread, idle for long, is one too many; it is off the count then, and must return.
    func canSpare() -> Bool {
        var present = count
        while present > fewest {
            let outcome = living.weakCompareExchange(
                expected: present, desired: present - 1, ordering: .acquiringAndReleasing)
            if outcome.exchanged { return true }
            present = outcome.original
        }
        return false
    }

    private func leave(_ id: Int) {
        roster.withLock { roster in
            if let thread = roster.working.removeValue(forKey: id) { roster.ended.append(thread) }
        }
        left.call()
    }

    func joinEnded() {
        let ended = roster.withLock { roster in
            defer { roster.ended = [] }
            return roster.ended
        }
        for thread in ended { thread.join() }
    }

    /// Joins every thread that returns before `deadline`; one that is stuck in a handler is left to end when the handler
    /// does. The calling thread may be one of them.
    func dismiss(until deadline: Double) {
        while roster.withLock({ !$0.working.isEmpty }), System.uptime < deadline {
            left.wait(seconds: min(0.05, max(0, deadline - System.uptime)))
        }
        joinEnded()
        let stuck = roster.withLock { roster in
            defer { roster.working = [:] }
            return roster.working.values
        }
        for thread in stuck { thread.detach() }
    }
}
