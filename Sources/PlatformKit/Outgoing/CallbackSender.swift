import HTTPClient
import Synchronization

/// Makes the callbacks of one world.
final class CallbackSender: Sendable {
    private let queue: OutgoingQueue
    /// By their timeouts, of which the rules of the platforms have few.
    private let clients = Mutex<[Double: HTTPClient]>([:])

    init(queue: OutgoingQueue = OutgoingQueue(attemptLimit: RetryRule.standard.attemptLimit)) {
        self.queue = queue
    }

    /// What `notes` writes is the request's that caused the callback.
    func callbacks(_ notes: JournalNotes) -> Callbacks {
        Callbacks { self.send($0, notes) }
    }

    /// Begins no attempt any more.
    func cancel() { queue.cancel() }

    private func send(_ callback: Callback, _ notes: JournalNotes) {
        let run = CallbackRun(callback, client: client(timeout: callback.retry.timeout), notes: notes)
        queue.add(
            OutgoingQueue.Job(retry: callback.retry, attempt: run.attempt, report: run.report))
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
