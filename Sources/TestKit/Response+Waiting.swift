import Dispatch
package import HTTP
package import PlatformKit
import Synchronization

extension Response {
    /// The answer, for which the calling thread waits where it is not there yet.
    package func awaited() -> Response {
        do {
            return try settled()
        } catch {
            return .text("the answer could not be made: \(error)\n", status: .internalServerError)
        }
    }

    /// As a server does it, but for the thread that is held.
    fileprivate func settled() throws -> Response {
        guard case .waiting(let wait) = body else { return self }
        let rung = DispatchSemaphore(value: 0)
        let stop = wait.listen { rung.signal() }
        defer { stop() }
        let deadline = DispatchTime.now() + wait.seconds
        var next = min(deadline, .now() + min(wait.untilNext, 3600))
        while true {
            _ = rung.wait(timeout: next)
            if DispatchTime.now() >= deadline { return try wait.giveUp().settled() }
            switch try wait.ask() {
            case .answer(let response): return try response.settled()
            case .nothing(let seconds): next = min(deadline, .now() + min(seconds, 3600))
            }
        }
    }
}

extension Occasion {
    /// The first value that `find` finds, for which the calling thread waits for at most `seconds`.
    package func first<Value: Sendable>(
        within seconds: Double, _ find: @escaping @Sendable () throws -> Value?
    ) throws -> Value? {
        let tray = Tray<Value>()
        let response = try answer(within: seconds, find: find) { value in
            tray.value.withLock { $0 = value }
            return .noContent
        }
        _ = try response.settled()
        return tray.value.withLock { $0 }
    }
}

private final class Tray<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}

extension Journal {
    /// The entries that fit, for the first of which the calling thread waits for at most `seconds`.
    package func entries(_ query: Query, waiting seconds: Double) -> [JournalEntry] {
        // Looking at a journal throws nothing.
        let found = try? occasion(query).first(within: seconds) { [self] in
            let found = entries(query)
            return found.isEmpty ? nil : found
        }
        return found ?? []
    }
}
