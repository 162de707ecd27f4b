import HTTP
import HTTPClient

/// Makes the callbacks of one world.
final class CallbackSender: Sendable {
    /// Attempts in all, spread over about two minutes.
    static let attemptLimit = 8

    private let queue: OutgoingQueue
    private let client: HTTPClient

    init(
        queue: OutgoingQueue = OutgoingQueue(attemptLimit: CallbackSender.attemptLimit),
        client: HTTPClient = HTTPClient(timeout: 10, bodyBytes: 1024 * 1024)
    ) {
        self.queue = queue
        self.client = client
    }

    /// What `notes` writes is the request's that caused the callback.
    func callbacks(_ notes: JournalNotes) -> Callbacks {
        Callbacks { self.send($0, notes) }
    }

    /// Begins no attempt any more.
    func cancel() { queue.cancel() }

    private func send(_ callback: Callback, _ notes: JournalNotes) {
        queue.add(
            OutgoingQueue.Job(
                attempt: { try self.attempt(callback) },
                report: { attempts, failure, pause in Self.note(callback, attempts, failure, pause, notes) }))
    }

    private func attempt(_ callback: Callback) throws {
        let response = try client.send(
            callback.method, callback.url, headers: callback.headers, body: callback.body)
        if !(200..<300).contains(response.status.code) { throw CallbackRefused(status: response.status) }
    }

    private static func note(
        _ callback: Callback, _ attempts: Int, _ failure: (any Error)?, _ pause: Double?,
        _ notes: JournalNotes
    ) {
        let call = "\(callback.method.rawValue) \(callback.url), \(callback.purpose)"
        guard let failure else {
            let count = attempts > 1 ? " at attempt \(attempts)" : ""
            return notes.event("callback delivered", "The callback \(call), was accepted\(count).")
        }
        let next = pause.map { "The next attempt follows in \($0) s." } ?? "It is given up."
        notes.event(
            "callback failed", "The callback \(call), failed at attempt \(attempts): \(failure). \(next)")
    }
}

/// The back end answered, but not with a success.
struct CallbackRefused: OutgoingFailure, CustomStringConvertible {
    let status: Status

    /// Only what may be different next time is tried again. Source: RFC 9110 §15; RFC 6585 §4.
    var isPermanent: Bool { status.code < 500 && status != .requestTimeout && status != .tooManyRequests }

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
