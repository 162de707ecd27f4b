import Dispatch
import Synchronization

extension Bell {
    /// As ``listen(_:)``, and `tick` is called once a second besides, for what time brings without anybody's doing.
    ///
    /// Real seconds, whatever the world's clock says. Both closures may run at the same time on different threads; `tick` may use the
    /// database and ring. A tick that is under way ends after the returned closure was called; then no more come.
    package func listen(
        ticking tick: @escaping @Sendable () -> Void, _ listener: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let stopListening = listen(listener)
        let ticker = Ticker(tick)
        ticker.start()
        return {
            ticker.stop()
            stopListening()
        }
    }
}

/// Calls a closure once a second until it is stopped. Between two calls it costs no thread.
private final class Ticker: Sendable {
    private let isStopped = Mutex(false)
    private let tick: @Sendable () -> Void

    init(_ tick: @escaping @Sendable () -> Void) { self.tick = tick }

    func start() {
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [self] in
            if isStopped.withLock({ $0 }) { return }
            tick()
            start()
        }
    }

    func stop() { isStopped.withLock { $0 = true } }
}
