/// Which job of an ``OutgoingQueue`` is begun next. A lane that has nothing to do is not kept.
struct OutgoingLanes {
    /// An attempt that is to be made.
    struct Turn: Sendable {
        let job: OutgoingJob
        /// Counted from 1.
        let attempt: Int
    }

    private struct Lane {
        var turns: [Turn] = []
        var isAtWork = false
    }

    private var lanes: [String: Lane] = [:]
    /// Lanes that have a turn and nobody at work, in the order in which they came to that.
    private var ready: [String] = []
    /// Turns that wait for their time.
    private var delayed: [Int: Turn] = [:]
    private var nextNumber = 0
    private var isStopped = false
    private(set) var workers = 0

    var count: Int { lanes.count }

    /// Whether one more worker is wanted, who is counted from now on.
    mutating func hires(atMost limit: Int) -> Bool {
        guard !ready.isEmpty, workers < limit else { return false }
        workers += 1
        return true
    }

    mutating func add(_ turn: Turn) {
        guard !isStopped else { return }
        let name = turn.job.lane
        var lane = lanes[name] ?? Lane()
        lane.turns.append(turn)
        if !lane.isAtWork, lane.turns.count == 1 { ready.append(name) }
        lanes[name] = lane
    }

    /// A worker waits for something, and is off the count until it goes on; then there may be more than the limit for a while.
    mutating func pause() { workers -= 1 }
    mutating func resume() { workers += 1 }

    /// What a worker does now. When there is nothing, it is off the count and must return.
    mutating func next() -> Turn? {
        guard !ready.isEmpty else {
            workers -= 1
            return nil
        }
        let name = ready.removeFirst()
        let turn = lanes[name]?.turns.removeFirst()
        lanes[name]?.isAtWork = true
        return turn
    }

    /// The lane waits for its next turn behind those that are ready.
    mutating func finish(_ turn: Turn) {
        let name = turn.job.lane
        lanes[name]?.isAtWork = false
        if lanes[name]?.turns.isEmpty == true {
            lanes[name] = nil
        } else if lanes[name] != nil {
            ready.append(name)
        }
    }

    /// - Returns: the number by which the turn is to be woken; nil when nothing is begun any more.
    mutating func delay(_ turn: Turn) -> Int? {
        guard !isStopped else { return nil }
        nextNumber += 1
        delayed[nextNumber] = turn
        return nextNumber
    }

    mutating func wake(_ number: Int) {
        if let turn = delayed.removeValue(forKey: number) { add(turn) }
    }

    /// Forgets what was not begun.
    mutating func stop() {
        isStopped = true
        (lanes, ready, delayed) = ([:], [], [:])
    }
}
