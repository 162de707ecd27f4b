import Synchronization

/// What was found for one who waits and serves the others who are woken by the same ring.
final class SharedLooks: Sendable {
    /// Seconds after which time may have changed what was found.
    private static let life = 0.02
    private static let limit = 100

    private struct Found: Sendable {
        let value: any Sendable
        let at: ContinuousClock.Instant
    }

    private struct State {
        var rings = 0
        var found: [String: Found] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter rings: how often it had rung before the look; what was found before another ring counts no longer.
    func value<Value: Sendable>(
        _ name: String, after rings: Int, _ look: () throws -> Value
    ) rethrows -> Value {
        let now = ContinuousClock.now
        let kept = state.withLock { $0.rings == rings ? $0.found[name] : nil }
        if let kept, now - kept.at < .seconds(Self.life), let value = kept.value as? Value { return value }
        let value = try look()
        state.withLock { state in
            if state.rings != rings || state.found.count >= Self.limit { state = State(rings: rings) }
            state.found[name] = Found(value: value, at: now)
        }
        return value
    }
}
