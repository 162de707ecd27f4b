import HTTPClient
import Synchronization

/// Makes the callbacks of one world, those to one receiver (scheme, host and port) one after the other.
final class CallbackSender: Sendable {
    /// Callbacks of the world that may be under way or wait for an attempt, and those of them to one receiver: one that never
    /// answers leaves room for the others.
    struct Limits: Sendable {
        var all = 1000
        var toOne = 500
    }

    private let queue: OutgoingQueue
    /// By their timeouts, of which the rules of the platforms have few.
    private let clients = Mutex<[Double: HTTPClient]>([:])

    private let limits: Limits
    /// Which receivers are believed over TLS.
    private let trust: HTTPClient.Trust
    private let gate: CallGate
    /// By receiver.
    private let waiting = Mutex<[String: Int]>([:])

    init(
        queue: OutgoingQueue = OutgoingQueue(attemptLimit: RetryRule.standard.attemptLimit),
        limits: Limits = Limits(), trust: HTTPClient.Trust = .system, gate: CallGate = CallGate(nil)
    ) {
        (self.queue, self.limits, self.trust, self.gate) = (queue, limits, trust, gate)
    }

    /// What `notes` writes is the request's that caused the callback.
    func callbacks(_ notes: JournalNotes) -> Callbacks {
        Callbacks { self.send($0, notes) }
    }

    /// Begins no attempt any more.
    func cancel() { queue.cancel() }

    /// The same, and waits so long for the attempts under way.
    func stop(seconds: Double) { queue.stop(seconds: seconds) }

    private func send(_ callback: Callback, _ notes: JournalNotes) {
        let run = CallbackRun(callback, client: client(timeout: callback.retry.timeout), notes: notes)
        do {
            try gate.admit(callback.url)
        } catch {
            return run.note(error)
        }
        // What is no URL fails at its first attempt, and waits for nobody.
        let receiver = HTTPClient.origin(of: callback.url) ?? ""
        if let drop = takePlace(receiver) { return run.report(1, drop, nil) }
        queue.add(
            OutgoingQueue.Job(lane: receiver, retry: callback.retry, attempt: run.attempt) {
                [self] attempts, failure, pause in
                if pause == nil { leavePlace(receiver) }
                run.report(attempts, failure, pause)
            })
    }

    private func takePlace(_ receiver: String) -> CallbackDropped? {
        waiting.withLock { waiting in
            let count = waiting[receiver, default: 0]
            if waiting.values.reduce(0, +) >= limits.all {
                return CallbackDropped(count: limits.all, receiver: nil)
            }
            if count >= limits.toOne { return CallbackDropped(count: count, receiver: receiver) }
            waiting[receiver] = count + 1
            return nil
        }
    }

    private func leavePlace(_ receiver: String) {
        waiting.withLock { waiting in
            let left = waiting[receiver, default: 0] - 1
            waiting[receiver] = left > 0 ? left : nil
        }
    }

    private func client(timeout: Double) -> HTTPClient {
        clients.withLock { clients in
            if let kept = clients[timeout] { return kept }
            let client = HTTPClient(timeout: timeout, bodyBytes: 1024 * 1024, trust: trust)
            clients[timeout] = client
            return client
        }
    }
}

/// Too many callbacks wait already.
private struct CallbackDropped: Error, CustomStringConvertible {
    let count: Int
    /// Nil when it is the whole world's.
    let receiver: String?

    var description: String {
        let whose = receiver.map { "to \($0)" } ?? "of this world"
        return "it was not sent, because \(count) callbacks \(whose) wait already"
    }
}
