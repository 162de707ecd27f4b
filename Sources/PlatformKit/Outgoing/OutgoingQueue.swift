import Dispatch
import Synchronization

/// Work that outlives its request, such as handing a mail to a relay: one job after the other, each tried again with growing
/// pauses until it succeeds or the program ends.
///
/// Every failure and the success after it are told to the job, which writes them into its world's journal. A failure that is
/// known to be permanent ends the job.
package final class OutgoingQueue: Sendable {
    package struct Job: Sendable {
        /// Does the work; throws when it has to be tried again.
        package let attempt: @Sendable () throws -> Void
        /// Called after every attempt: how many there were, the error of the last, and the seconds until the next, if there
        /// is to be one.
        package let report: @Sendable (_ attempts: Int, _ failure: (any Error)?, _ nextIn: Double?) -> Void
        /// Of this job, where it differs from the queue's; its timeout is the attempt's own business.
        package let retry: RetryRule?

        package init(
            retry: RetryRule? = nil, attempt: @escaping @Sendable () throws -> Void,
            report: @escaping @Sendable (Int, (any Error)?, Double?) -> Void
        ) {
            self.retry = retry
            self.attempt = attempt
            self.report = report
        }
    }

    /// Seconds before the second, third … attempt; the last of them repeats.
    package static let pauses: [Double] = [0.5, 1, 2, 5, 10, 30, 60]

    private let queue = DispatchQueue(label: "understudy.outgoing")
    private let isStopped = Mutex(false)
    private let pauses: [Double]
    private let attemptLimit: Int

    /// - Parameter attemptLimit: after so many a job is given up.
    package init(pauses: [Double] = OutgoingQueue.pauses, attemptLimit: Int = .max) {
        self.pauses = pauses
        self.attemptLimit = attemptLimit
    }

    package func add(_ job: Job) {
        queue.async { [self] in run(job, attempts: 1) }
    }

    /// Begins no attempt any more, and does not wait for the one under way.
    package func cancel() { isStopped.withLock { $0 = true } }

    /// Waits for the attempt under way; what has not succeeded by then stays undone.
    package func stop() {
        isStopped.withLock { $0 = true }
        queue.sync {}
    }

    private func run(_ job: Job, attempts: Int) {
        if isStopped.withLock({ $0 }) { return }
        do {
            try job.attempt()
            job.report(attempts, nil, nil)
        } catch let error as any OutgoingFailure where error.isPermanent {
            job.report(attempts, error, nil)
        } catch  where attempts >= job.retry?.attemptLimit ?? attemptLimit {
            job.report(attempts, error, nil)
        } catch {
            let pauses = job.retry?.pauses ?? pauses
            let pause = pauses.isEmpty ? 0 : pauses[min(attempts, pauses.count) - 1]
            job.report(attempts, error, pause)
            queue.asyncAfter(deadline: .now() + pause) { [self] in run(job, attempts: attempts + 1) }
        }
    }
}

/// A failure that may know whether trying again can mend it.
package protocol OutgoingFailure: Error {
    var isPermanent: Bool { get }
}
