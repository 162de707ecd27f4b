import HTTP
import Sockets
import Synchronization

/// The thread that looks at the clock: hires threads when all are taken, sends what a handler holds up, and ends
/// conversations whose time is over.
struct Housekeeper {
    private static let tick = 0.001
    /// Quiet ticks before it stops looking every millisecond.
    private static let patience = 100
    /// Ticks in a row without a thread to spare, an answer or any work of the processor: by then all threads wait. A single
    /// one may only mean that the machine gave its processor to somebody else.
    private static let idleTicks = 3
    /// Ticks in a row without a thread to spare or an answer, however busy the processor is.
    private static let busyTicks = 50

    private let engine: Engine
    private let scratch = Scratch()
    private let interval: Double
    private var nextSweep = 0.0
    private var quietTicks = 0
    private var answered = -1
    private var processorSeconds = 0.0
    /// Ticks in a row that brought no answer and found no thread idle, and those of them that found the processor idle too.
    private var stuckTicks = (all: 0, idle: 0)

    init(_ engine: Engine) {
        self.engine = engine
        let limits = engine.context.limits
        let shortest = min(
            limits.headSeconds, limits.bodyGraceSeconds, limits.keepAliveSeconds, limits.sendSeconds)
        interval = max(0.01, min(0.5, shortest / 4))
    }

    mutating func work() {
        while !engine.isOver {
            engine.wakeup.wait(seconds: pause)
            if engine.crew.isWatched { look() }
            if System.uptime >= nextSweep { sweep() }
        }
    }

    private var pause: Double {
        if engine.crew.isWatched { return Self.tick }
        // With nobody connected there is nothing to look at until somebody is.
        return engine.isQuiet
            ? 3600 : max(0, nextSweep - System.uptime)
    }

    private mutating func look() {
        let hasIdle = engine.crew.idle > 0
        if isStuck(hasIdle) {
            stuckTicks = (0, 0)
            // Without more threads the clients wait; a later tick tries again.
            try? engine.hire(engine.crew.count)
        }
        quietTicks = engine.sendDeferred() || !hasIdle ? 0 : quietTicks + 1
        if quietTicks > Self.patience {
            quietTicks = 0
            engine.crew.stopWatching()
        }
    }

    /// Whether all threads wait in handlers, as far as can be told: more threads would only be in the way of threads that
    /// compute.
    private mutating func isStuck(_ hasIdle: Bool) -> Bool {
        let answered = engine.context.answered.load(ordering: .relaxed)
        let processorSeconds = System.processorSeconds
        let hasAnswered = answered != self.answered
        let hasWorked = processorSeconds - self.processorSeconds > Self.tick / 4
        (self.answered, self.processorSeconds) = (answered, processorSeconds)
        guard !hasIdle, !hasAnswered else {
            stuckTicks = (0, 0)
            return false
        }
        stuckTicks = (stuckTicks.all + 1, hasWorked ? 0 : stuckTicks.idle + 1)
        return stuckTicks.idle >= Self.idleTicks || stuckTicks.all >= Self.busyTicks
    }

    private mutating func sweep() {
        let now = System.uptime
        nextSweep = now + interval
        for connection in engine.table.all {
            let step = connection.step { $0.checkTime(now, scratch) }
            engine.serve(connection, step, scratch)
        }
        engine.resumeAccepting()
        engine.crew.joinEnded()
    }
}
