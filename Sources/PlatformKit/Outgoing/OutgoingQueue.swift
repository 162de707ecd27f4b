import Dispatch
import Synchronization

/// Work that outlives its request, such as handing a mail to a relay: each job is tried again with growing pauses until it
/// succeeds or the program ends.
///
/// Jobs of one lane are begun one after the other, in the order in which they came; lanes do not wait for each other, as long as
/// there are not too many of them. While a job waits for its next attempt the others of its lane go on.
///
/// Every failure and the success after it are told to the job, which writes them into its world's journal. A failure that is
/// known to be permanent ends the job.
package final class OutgoingQueue: Sendable {
    package typealias Job = OutgoingJob

    /// Lanes that may be at work at once. The others take turns with them, job by job.
    package static let workerLimit = 16

    private let state = Mutex(OutgoingLanes())
    /// Everyone at work.
    private let workers = DispatchGroup()
    private let clock = DispatchQueue(label: "understudy.outgoing.clock")
    private let pauses: [Double]
    private let attemptLimit: Int
    private let workerLimit: Int

    /// - Parameter attemptLimit: after so many a job is given up.
    package init(
        pauses: [Double] = RetryRule.usualPauses, attemptLimit: Int = .max,
        workerLimit: Int = OutgoingQueue.workerLimit
    ) {
        self.pauses = pauses
        self.attemptLimit = attemptLimit
        self.workerLimit = workerLimit
    }

    package func add(_ job: Job) {
        begin { $0.add(OutgoingLanes.Turn(job: job, attempt: 1)) }
    }

    /// The same after so many seconds; what is not due when the queue stops stays undone.
    package func add(_ job: Job, after seconds: Double) {
        clock.asyncAfter(deadline: .now() + seconds) { [self] in add(job) }
    }

    /// Begins no attempt any more, and does not wait for those under way.
    package func cancel() { state.withLock { $0.stop() } }

    /// Waits for the attempts under way; what has not succeeded by then stays undone.
    package func stop() {
        cancel()
        workers.wait()
    }

    /// The same, but only for so long.
    ///
    /// - Returns: whether all of them ended.
    @discardableResult
    package func stop(seconds: Double) -> Bool {
        cancel()
        return workers.wait(timeout: .now() + seconds) == .success
    }

    /// Lanes that have something to do now, and those at work in them.
    var figures: (lanes: Int, workers: Int) { state.withLock { ($0.count, $0.workers) } }

    /// Has another worker take the place of the calling one, which does a job, while `body` waits for something else.
    package func pausing<Value>(_ body: () throws -> Value) rethrows -> Value {
        begin { $0.pause() }
        defer { state.withLock { $0.resume() } }
        return try body()
    }

    /// Puts a turn in its lane and starts a worker for it, when there may be one more.
    private func begin(_ change: (inout OutgoingLanes) -> Void) {
        let isHired = state.withLock { lanes in
            change(&lanes)
            guard lanes.hires(atMost: workerLimit) else { return false }
            // Entered under the lock, so that whoever stops the queue after this waits for the worker.
            workers.enter()
            return true
        }
        guard isHired else { return }
        // A serial queue of its own gets a thread however many others wait for their receivers.
        DispatchQueue(label: "understudy.outgoing").async { [self] in
            work()
            workers.leave()
        }
    }

    /// Until there is nothing to do.
    private func work() {
        while let turn = state.withLock({ $0.next() }) {
            let pause = run(turn)
            state.withLock { $0.finish(turn) }
            if let pause { wait(pause, before: turn) }
        }
    }

    /// - Returns: the seconds until the next attempt, when there is to be one.
    private func run(_ turn: OutgoingLanes.Turn) -> Double? {
        let (job, attempts) = (turn.job, turn.attempt)
        do {
            try job.attempt()
            job.report(attempts, nil, nil)
            return nil
        } catch let error as any OutgoingFailure where error.isPermanent {
            job.report(attempts, error, nil)
            return nil
        } catch  where attempts >= job.retry?.attemptLimit ?? attemptLimit {
            job.report(attempts, error, nil)
            return nil
        } catch {
            let pauses = job.retry?.pauses ?? pauses
            let pause = pauses.isEmpty ? 0 : pauses[min(attempts, pauses.count) - 1]
            job.report(attempts, error, pause)
            return pause
        }
    }

    /// The clock knows only a number: a queue that stopped holds nothing of the jobs that waited.
    private func wait(_ pause: Double, before turn: OutgoingLanes.Turn) {
        let next = OutgoingLanes.Turn(job: turn.job, attempt: turn.attempt + 1)
        guard let number = state.withLock({ $0.delay(next) }) else { return }
        clock.asyncAfter(deadline: .now() + pause) { [self] in begin { $0.wake(number) } }
    }
}
