/// An answer that is not there yet: what is asked, when it is asked again, and what is answered when the time is over.
///
/// A handler returns it and is done: the server parks the connection, without a thread and without a buffer. It asks again after every
/// ring, on one of its threads and never on the one that rings. Whoever passes the answer on finishes a late one as it finishes an early
/// one, with ``finished(by:)``.
package struct Wait: Sendable {
    /// What a question came to.
    package enum Finding: Sendable {
        case answer(Response)
        /// Ask after the next ring, and when so many seconds have passed, for time alone may change something.
        case nothing(untilNext: Double)
    }

    /// Seconds of real time that are waited at most, whatever the clock of a world says.
    package let seconds: Double
    /// Seconds from one question to the next at least: where much happens, not every ring is worth one.
    package let pause: Double
    /// Seconds after which the first question is due without a ring.
    package let untilNext: Double
    package let ask: @Sendable () throws -> Finding
    /// The last question: the time is over, the server stops or the client has gone.
    package let giveUp: @Sendable () throws -> Response
    /// Calls what it is given at each ring, also for one that came before, from the first look on, until the returned closure is
    /// called. What it is given never waits.
    package let listen: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void

    package init(
        seconds: Double, pause: Double = 0.001, untilNext: Double = .infinity,
        ask: @escaping @Sendable () throws -> Finding,
        giveUp: @escaping @Sendable () throws -> Response,
        listen: @escaping @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void
    ) {
        self.seconds = seconds
        self.pause = pause
        self.untilNext = untilNext
        self.ask = ask
        self.giveUp = giveUp
        self.listen = listen
    }

    /// The same wait for an answer that `finish` makes.
    ///
    /// - Parameter finish: is called once, with the answer that there would be, or the error with which the question ended.
    package func finished(
        by finish: @escaping @Sendable (_ answer: () throws -> Response) throws -> Response
    ) -> Wait {
        Wait(
            seconds: seconds, pause: pause, untilNext: untilNext,
            ask: { [ask] in
                let found: Finding
                do {
                    found = try ask()
                } catch {
                    return .answer(try finish { throw error })
                }
                guard case .answer(let response) = found else { return found }
                return .answer(try finish { response })
            },
            giveUp: { [giveUp] in try finish(giveUp) }, listen: listen)
    }
}

extension Response {
    /// Whether the answer is not there yet.
    package var isWaiting: Bool { if case .waiting = body { true } else { false } }

    /// An answer that comes later.
    package static func waiting(_ wait: Wait) -> Response {
        var response = Response()
        response.body = .waiting(wait)
        return response
    }
}
