import Essentials

extension FlowTurn {
    /// Takes a token from the bucket `key`; the seconds to wait where there was none, nil where there was one.
    func wait(for key: String, under rule: RateLimit.Rule?) throws -> Int? {
        guard let rule else { return nil }
        let standing = try RateLimitStore.take(key, under: rule, at: now, in: db)
        return standing.isGranted ? nil : standing.resetSeconds
    }

    /// `rate_limit_exceeded`, with the seconds to wait in the payload.
    ///
    /// - Parameters:
    ///   - member: of the payload, `resend_after` or `retry_after`.
    ///   - calls: what was counted, in words.
    mutating func limited(_ member: String, _ seconds: Int, _ calls: String, _ rule: RateLimit.Rule?)
        -> FlowRefusal
    {
        payload[member] = .integer(seconds)
        return FlowRefusal(
            .rateLimitExceeded,
            "More than \(rule?.tokens ?? 0) \(calls). The bucket is full again in \(seconds) s of the world's clock, "
                + "which can be moved; rate_limiter.enabled: false in the fixtures switches limits off.")
    }
}
