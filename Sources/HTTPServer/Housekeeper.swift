import HTTP
import Sockets
import Synchronization

/// The thread that looks at the clock: hires threads when all are taken, sends what a handler holds up, has waiting requests looked at
/// in time, and ends conversations whose time is over.
struct Housekeeper {
    /// Seconds. Each look costs some ten microseconds, which requests under load share.
    private static let tick = 0.002
    /// Quiet ticks before it stops looking so often.
    private static let patience = 50
    /// Punctual ticks in a row without a thread to spare, an answer, or work of the processor: by then all threads wait. A tick
    /// that comes late says that the machine is busy with others, and nothing of our threads.
    private static let stuckTicksBeforeHiring = 3
    /// Connections that must have closed before what they held is given back to the system; the C library would keep it.
    private static let closedBeforeGivingBack = 500
    /// Bytes of bodies and answers that must be gone before the same.
    private static let freedBeforeGivingBack = 4 << 20

    private let engine: Engine
    private let scratch = Scratch()
    private let interval: Double
    private var nextSweep = 0.0
    private var quietTicks = 0
    private var answered = -1
    private var processorSeconds = 0.0
    private var lastTick = 0.0
    private var stuckTicks = 0
    /// Connections at once, since memory was given back.
    private var mostConnections = 0
    private var answeredBySweep = 0

    init(_ engine: Engine) {
        self.engine = engine
        let limits = engine.context.limits
        let shortest = min(
            limits.headSeconds, limits.bodyGraceSeconds, limits.keepAliveSeconds, limits.sendSeconds,
            limits.webSocketPingSeconds, limits.webSocketPongSeconds, limits.webSocketCloseSeconds)
        interval = max(0.01, min(0.5, shortest / 4))
    }

    mutating func work() {
        while !engine.isOver {
            engine.wakeup.wait(seconds: pause)
            for wait in engine.context.alarms.takeDue(System.uptime) { wait.wake() }
            if engine.workers.isWatched { look() }
            if System.uptime >= nextSweep { sweep() }
        }
    }

    private var pause: Double {
        if engine.workers.isWatched { return Self.tick }
        // With nobody connected there is nothing to look at until somebody is.
        return engine.isQuiet
            ? 3600 : max(0, min(nextSweep, engine.context.alarms.next) - System.uptime)
    }

    private mutating func look() {
        let hasIdle = engine.workers.idle > 0
        stuckTicks = looksStuck(hasIdle) ? stuckTicks + 1 : 0
        if stuckTicks >= Self.stuckTicksBeforeHiring {
            stuckTicks = 0
            // Without more threads the clients wait; a later tick tries again.
            try? engine.hire(engine.workers.count)
        }
        quietTicks = engine.sendDeferred() || !hasIdle ? 0 : quietTicks + 1
        if quietTicks > Self.patience {
            quietTicks = 0
            engine.workers.stopWatching()
        }
    }

    /// Whether, since the tick before, all threads seem to have waited in handlers that did not say so.
    private mutating func looksStuck(_ hasIdle: Bool) -> Bool {
        let answered = engine.context.answered.load(ordering: .relaxed)
        let (now, processorSeconds) = (System.uptime, System.processorSeconds)
        defer { (self.answered, self.lastTick, self.processorSeconds) = (answered, now, processorSeconds) }
        let isPunctual = now - lastTick < 3 * Self.tick
        let hasWorked = processorSeconds - self.processorSeconds > Self.tick / 4
        return isPunctual && !hasIdle && !hasWorked && answered == self.answered
    }

    private mutating func sweep() {
        let now = System.uptime
        nextSweep = now + interval
        for connection in engine.table.all {
            let step = connection.step(nil) { $0.checkTime(now, scratch) }
            engine.serve(connection, step, scratch)
        }
        engine.resumeAccepting()
        engine.workers.joinEnded()
        giveBackMemory()
    }

    /// When many clients or large answers have gone and nobody asks for anything at the moment.
    private mutating func giveBackMemory() {
        let (count, answered) = (engine.table.count, engine.context.answered.load(ordering: .relaxed))
        defer { answeredBySweep = answered }
        mostConnections = max(mostConnections, count)
        guard answered == answeredBySweep || count == 0 else { return }
        let isEmptier = mostConnections - count >= Self.closedBeforeGivingBack
        guard engine.context.memory.takeFreed(from: Self.freedBeforeGivingBack) || isEmptier else { return }
        System.giveBackMemory()
        mostConnections = count
    }
}
