/// When a callback is tried again, and for how long an attempt waits.
package struct RetryRule: Sendable, Equatable {
    /// Seconds before the second, third … attempt; the last of them repeats.
    package var pauses: [Double]
    /// Attempts in all, at least 1.
    package var attemptLimit: Int
    /// Seconds from the beginning of an attempt to the end of its answer.
    package var timeout: Double
    /// Whether every answer but a success is tried again, or only 408, 429 and 5xx.
    package var retriesEveryStatus: Bool

    package init(
        pauses: [Double] = RetryRule.usualPauses, attemptLimit: Int = 8, timeout: Double = 10,
        retriesEveryStatus: Bool = false
    ) {
        (self.pauses, self.attemptLimit) = (pauses, attemptLimit)
        (self.timeout, self.retriesEveryStatus) = (timeout, retriesEveryStatus)
    }

    /// Seconds before the second, third … attempt; the last of them repeats.
    package static let usualPauses: [Double] = [0.5, 1, 2, 5, 10, 30, 60]

    /// Eight attempts, spread over about two minutes.
    package static let standard = RetryRule()
}
