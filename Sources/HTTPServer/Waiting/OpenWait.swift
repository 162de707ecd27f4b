import HTTP
import Sockets
import Synchronization

/// One request whose answer is waited for, while its connection is parked.
///
/// Unchecked: the times are touched only by the thread that serves the connection, or with its lock held; `place` and `alarmAt` only
/// with the lock of ``Alarms`` held; `stopListening` is set before anybody else knows the value. A class, so that a connection that
/// waits for nothing pays for a pointer alone.
final class OpenWait: @unchecked Sendable {
    let parsed: RequestParser.Parsed
    private let wait: Wait
    /// Has a thread of the server look at the connection, unless one does already. Called from any thread.
    private let rouse: @Sendable (OpenWait) -> Void
    /// All times are of ``System/uptime``.
    let deadline: Double
    private var askedAt: Double
    private var nextLook: Double
    private var stopListening: @Sendable () -> Void = {}
    /// Somebody has rung since the last question.
    private let isRung = Atomic<Bool>(false)

    /// Where it stands in the heap of alarms.
    var place: Int?
    var alarmAt = Double.infinity

    init(
        _ parsed: RequestParser.Parsed, _ wait: Wait, rouse: @escaping @Sendable (OpenWait) -> Void
    ) {
        self.parsed = parsed
        self.wait = wait
        self.rouse = rouse
        askedAt = System.uptime
        deadline = askedAt + wait.seconds
        nextLook = askedAt + wait.untilNext
    }

    // MARK: Outside of the connection's lock

    /// Hears of rings from now on, and of those since the handler has looked.
    func beginListening() { stopListening = wait.listen { [self] in ring() } }

    func endListening() { stopListening() }

    /// On the thread that rings, whose business it is not to find the answer: a thread of the server does.
    private func ring() {
        guard !isRung.exchange(true, ordering: .sequentiallyConsistent) else { return }
        wake()
    }

    func wake() { rouse(self) }

    /// Asks for the answer; nil when there is none yet.
    func ask(isLast: Bool) -> Response? {
        isRung.store(false, ordering: .sequentiallyConsistent)
        do {
            if isLast { return try wait.giveUp() }
            askedAt = System.uptime
            switch try wait.ask() {
            case .answer(let response): return response
            case .nothing(let seconds):
                nextLook = askedAt + seconds
                return nil
            }
        } catch {
            // Whoever finishes answers maps every error; what comes through is a mistake of ours, with no better place to be told.
            return .text("the answer could not be made: \(error)\n", status: .internalServerError)
        }
    }

    // MARK: With the connection's lock held

    /// When it is to be asked again, if nobody rings.
    var nextQuestion: Double {
        min(deadline, isRung.load(ordering: .sequentiallyConsistent) ? askedAt + wait.pause : nextLook)
    }
}
