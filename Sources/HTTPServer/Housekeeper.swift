import HTTP
import Sockets
import Synchronization

/// The thread that looks at the clock: hires threads when all are taken, sends what a handler holds up, and ends
/// conversations whose time is over.
struct Housekeeper {
    private static let tick = 0.001
    /// Quiet ticks before it stops looking every millisecond.
    private static let patience = 100

    private let engine: Engine
    private let scratch = Scratch()
    private let interval: Double
    private var nextSweep = 0.0
    private var quietTicks = 0
    private var answered = -1

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

    /// Hires when no thread was idle at two ticks and nothing was answered between them: all are waiting.
    private mutating func look() {
        let answered = engine.context.answered.load(ordering: .relaxed)
        let isQuiet = engine.crew.idle > 0
        if !isQuiet, answered == self.answered {
            // Without more threads the clients wait; the next tick tries again.
            try? engine.hire(engine.crew.count)
        }
        self.answered = answered
        quietTicks = engine.sendDeferred() || !isQuiet ? 0 : quietTicks + 1
        if quietTicks > Self.patience {
            quietTicks = 0
            engine.crew.stopWatching()
        }
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
