import Sockets
import Synchronization

/// Handlers wait at it until a test opens it.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [Wakeup])>((false, []))

    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Half a minute at most, so that a failing test ends.
    func wait() {
        let wakeup = Wakeup()
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting.append(wakeup) }
            return state.isOpen
        }
        if !isOpen { wakeup.wait(seconds: 30) }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            return state.waiting
        }
        for wakeup in waiting { wakeup.call() }
    }
}
