package import HTTP

/// What one look of a request that waits has found.
package struct Look<Value> {
    package let found: Value?
    /// Seconds after which time alone may have changed something.
    package let untilNext: Double

    package init(_ found: Value?, untilNext: Double = .infinity) {
        self.found = found
        self.untilNext = untilNext
    }
}

/// What a request waits for: the rings from the moment at which it was taken on. Whoever takes it before the first look misses nothing
/// that happens between the look and the waiting.
package struct Occasion: Sendable {
    /// As ``Wait/listen``.
    package let listen: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void
    /// Nothing will ring for a reason any more: the world or the program is ending.
    let isOver: @Sendable () -> Bool

    /// What `answer` makes of the first value that `look` finds: now, or after a ring within `seconds` of real time. Of nil, when there
    /// is none by then or the world ends.
    ///
    /// - Parameters:
    ///   - pause: seconds from one look to the next at least.
    ///   - look: runs on a thread of the server whenever something has rung, with no lock held; must not block. It is told whether it may
    ///     take what another one who waits has just found: the first look and the last are its own.
    package func answer<Value>(
        within seconds: Double, pause: Double = 0.001,
        look: @escaping @Sendable (_ mayShare: Bool) throws -> Look<Value>,
        with answer: @escaping @Sendable (Value?) throws -> Response
    ) throws -> Response {
        let first = try look(false)
        if let found = first.found { return try answer(found) }
        guard seconds > 0, !isOver() else { return try answer(nil) }
        return .waiting(
            Wait(
                seconds: seconds, pause: pause, untilNext: first.untilNext,
                ask: { [isOver] in
                    let isOver = isOver()
                    let next = try look(!isOver)
                    guard next.found != nil || isOver else { return .nothing(untilNext: next.untilNext) }
                    return .answer(try answer(next.found))
                },
                giveUp: { try answer(look(false).found) }, listen: listen))
    }

    /// What wakes at the rings of either.
    package func or(_ other: Occasion) -> Occasion {
        Occasion(
            listen: { [listen] ring in
                let stops = [listen(ring), other.listen(ring)]
                return { for stop in stops { stop() } }
            }, isOver: { [isOver] in isOver() || other.isOver() })
    }

    /// The same for what time alone does not change.
    package func answer<Value>(
        within seconds: Double, find: @escaping @Sendable () throws -> Value?,
        with answer: @escaping @Sendable (Value?) throws -> Response
    ) throws -> Response {
        try self.answer(within: seconds, look: { _ in Look(try find()) }, with: answer)
    }
}
