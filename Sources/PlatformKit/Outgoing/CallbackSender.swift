import HTTPClient
import Synchronization

/// Makes the callbacks of one world.
final class CallbackSender: Sendable {
    /// Callbacks that may wait for an attempt: a receiver that never answers holds up all the others.
    static let limit = 1000

    private let queue: OutgoingQueue
    /// By their timeouts, of which the rules of the platforms have few.
    private let clients = Mutex<[Double: HTTPClient]>([:])

    private let limit: Int
    private let waiting = Mutex(0)

    init(
        queue: OutgoingQueue = OutgoingQueue(attemptLimit: RetryRule.standard.attemptLimit),
        limit: Int = limit
    ) {
        (self.queue, self.limit) = (queue, limit)
    }

    /// What `notes` writes is the request's that caused the callback.
    func callbacks(_ notes: JournalNotes) -> Callbacks {
        Callbacks { self.send($0, notes) }
    }

    /// Begins no attempt any more.
    func cancel() { queue.cancel() }

    private func send(_ callback: Callback, _ notes: JournalNotes) {
        let run = CallbackRun(callback, client: client(timeout: callback.retry.timeout), notes: notes)
        guard takesPlace() else { return run.report(1, CallbackDropped(limit: limit), nil) }
        queue.add(
            OutgoingQueue.Job(retry: callback.retry, attempt: run.attempt) {
                [self] attempts, failure, pause in
                if pause == nil { waiting.withLock { $0 -= 1 } }
                run.report(attempts, failure, pause)
            })
    }

    private func takesPlace() -> Bool {
        waiting.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    private func client(timeout: Double) -> HTTPClient {
        clients.withLock { clients in
            if let kept = clients[timeout] { return kept }
            let client = HTTPClient(timeout: timeout, bodyBytes: 1024 * 1024)
            clients[timeout] = client
            return client
        }
    }
}

/// Too many callbacks wait already.
private struct CallbackDropped: Error, CustomStringConvertible {
    let limit: Int
    var description: String { "it was not sent, because \(limit) callbacks of this world wait already" }
}
