/// Work for an ``OutgoingQueue``.
package struct OutgoingJob: Sendable {
    /// Jobs of the same lane are never under way together.
    package let lane: String
    /// Does the work; throws when it has to be tried again.
    package let attempt: @Sendable () throws -> Void
    /// Called after every attempt: how many there were, the error of the last, and the seconds until the next, if there
    /// is to be one.
    package let report: @Sendable (_ attempts: Int, _ failure: (any Error)?, _ nextIn: Double?) -> Void
    /// Of this job, where it differs from the queue's; its timeout is the attempt's own business.
    package let retry: RetryRule?

    package init(
        lane: String = "", retry: RetryRule? = nil, attempt: @escaping @Sendable () throws -> Void,
        report: @escaping @Sendable (Int, (any Error)?, Double?) -> Void
    ) {
        self.lane = lane
        self.retry = retry
        self.attempt = attempt
        self.report = report
    }
}

/// A failure that may know whether trying again can mend it.
package protocol OutgoingFailure: Error {
    var isPermanent: Bool { get }
}
