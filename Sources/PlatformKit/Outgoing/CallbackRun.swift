import HTTP
import HTTPClient
import Synchronization

/// One callback on its way: its attempts, and the telling of how each went.
final class CallbackRun: Sendable {
    private struct Measure {
        var status: Int?
        var milliseconds: Double
    }

    private let callback: Callback
    private let client: HTTPClient
    private let notes: JournalNotes
    /// Of the attempt made last. The queue makes them one after the other.
    private let measure = Mutex(Measure(status: nil, milliseconds: 0))

    init(_ callback: Callback, client: HTTPClient, notes: JournalNotes) {
        (self.callback, self.client, self.notes) = (callback, client, notes)
    }

    func attempt() throws {
        let start = ContinuousClock.now
        measure.withLock { $0.status = nil }
        defer {
            let elapsed = start.duration(to: .now).components
            let milliseconds = Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
            measure.withLock { $0.milliseconds = milliseconds }
        }
        var callback = callback
        try callback.prepare?(&callback)
        if callback.headers["User-Agent"] == nil, let platform = notes.platform {
            callback.headers["User-Agent"] = WebCalls.userAgent(of: platform)
        }
        let response = try client.send(
            callback.method, callback.url, headers: callback.headers, body: callback.body)
        measure.withLock { $0.status = response.status.code }
        guard (200..<300).contains(response.status.code) else {
            throw CallbackRefused(
                status: response.status, isAlwaysTriedAgain: callback.retry.retriesEveryStatus)
        }
    }

    /// The outcome comes first: who reads of the attempt in the journal finds it recorded.
    func report(_ attempts: Int, _ failure: (any Error)?, _ pause: Double?) {
        tell(attempts, failure, isLast: pause == nil)
        note(attempts, failure, pause)
    }

    private func tell(_ attempts: Int, _ failure: (any Error)?, isLast: Bool) {
        guard let outcome = callback.outcome else { return }
        let measure = measure.withLock { $0 }
        do {
            try outcome(
                CallbackAttempt(
                    number: attempts, status: measure.status, milliseconds: measure.milliseconds,
                    failure: failure.map { "\($0)" }, isLast: isLast))
        } catch {
            notes.event(
                "callback not recorded",
                "The outcome of the callback \(name), could not be recorded, which is a bug of Understudy: \(error)."
            )
        }
    }

    /// No attempt is made: the platform hears of no outcome, as if the receiver had yet to be called.
    func note(_ heldBack: CallHeldBack) {
        note("callback held back", "The callback \(name), is not made: \(heldBack).")
    }

    private var name: String { "\(callback.method.rawValue) \(callback.url), \(callback.purpose)" }

    private func note(_ attempts: Int, _ failure: (any Error)?, _ pause: Double?) {
        guard let failure else {
            let count = attempts > 1 ? " at attempt \(attempts)" : ""
            return note("callback delivered", "The callback \(name), was accepted\(count).")
        }
        let next = pause.map { "The next attempt follows in \($0) s." } ?? "It is given up."
        note("callback failed", "The callback \(name), failed at attempt \(attempts): \(failure). \(next)")
    }

    private func note(_ event: String, _ explanation: String) {
        notes.event(
            JournalNotes.Event(
                name: event, user: nil, explanation: explanation,
                departures: [
                    Departure(
                        .callback, to: callback.url, title: callback.purpose,
                        status: measure.withLock { $0.status })
                ]))
    }
}

/// The back end answered, but not with a success.
struct CallbackRefused: OutgoingFailure, CustomStringConvertible {
    let status: Status
    /// Whatever the status is.
    var isAlwaysTriedAgain = false

    /// Only what may be different next time is tried again. Source: RFC 9110 §15; RFC 6585 §4.
    var isPermanent: Bool {
        !isAlwaysTriedAgain && status.code < 500 && status != .requestTimeout && status != .tooManyRequests
    }

    var description: String { "it was answered with \(status.code) \(status.reason)" }
}

extension ClientError: OutgoingFailure {
    package var isPermanent: Bool {
        switch self {
        case .malformedURL, .malformedRequest: true
        default: false
        }
    }
}
