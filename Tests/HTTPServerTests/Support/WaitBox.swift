import Foundation
import HTTP
import Synchronization

/// What waiting answers of a test ask for: a value that somebody sets, and a bell that tells of it.
final class WaitBox: Sendable {
    private struct Listener: Sendable {
        let hear: @Sendable () -> Void
    }

    private struct State {
        var value: String?
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
        var questions = 0
        var lastQuestions = 0
        var threads: Set<String> = []
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let seconds: Double
    private let pause: Double
    private let untilNext: Double

    init(seconds: Double = 30, pause: Double = 0.001, untilNext: Double = .infinity) {
        (self.seconds, self.pause, self.untilNext) = (seconds, pause, untilNext)
    }

    var listeners: Int { state.withLock(\.listeners.count) }
    /// Questions after the handler's own look, the last ones not included.
    var questions: Int { state.withLock(\.questions) }
    var lastQuestions: Int { state.withLock(\.lastQuestions) }
    /// That have asked.
    var threads: Set<String> { state.withLock(\.threads) }

    func set(_ value: String) { state.withLock { $0.value = value } }
    func fail(_ error: any Error) { state.withLock { $0.failure = error } }

    func ring() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.hear() }
    }

    /// A waiting answer, which tells the path and the value.
    @Sendable func respond(_ request: Request) -> Response {
        let answer: @Sendable (String?) -> Response = { .text("\(request.path) \($0 ?? "nothing")") }
        if let value = state.withLock(\.value) { return answer(value) }
        return .waiting(
            Wait(
                seconds: seconds, pause: pause, untilNext: untilNext,
                ask: { [self] in
                    try state.withLock { state in
                        state.questions += 1
                        state.threads.insert("\(pthread_self())")
                        if let failure = state.failure { throw failure }
                        return state.value.map { .answer(answer($0)) } ?? .nothing(untilNext: untilNext)
                    }
                },
                giveUp: { [self] in
                    state.withLock { $0.lastQuestions += 1 }
                    return answer(state.withLock(\.value))
                },
                listen: { [self] ring in
                    let number = state.withLock { state in
                        state.nextListener += 1
                        state.listeners[state.nextListener] = Listener(hear: ring)
                        return state.nextListener
                    }
                    return { [self] in state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
                }))
    }
}
