import Dispatch
import Synchronization
import Testing

@testable import PlatformKit

@Suite struct OutgoingQueueTests {
    private struct Down: Error {}

    @Test func `a job that fails is tried again until it succeeds, and told each time`() {
        let queue = OutgoingQueue(pauses: [0.001])
        let attempts = Mutex(0)
        let told = Mutex<[String]>([])
        let done = DispatchSemaphore(value: 0)

        queue.add(
            OutgoingQueue.Job(
                attempt: {
                    let number = attempts.withLock { count in
                        count += 1
                        return count
                    }
                    if number < 3 { throw Down() }
                },
                report: { number, failure, next in
                    told.withLock { $0.append("\(number) \(failure == nil) \(next == nil)") }
                    if failure == nil { done.signal() }
                }))

        #expect(done.wait(timeout: .now() + 30) == .success)
        #expect(told.withLock { $0 } == ["1 false false", "2 false false", "3 true true"])
    }

    @Test func `a stopped queue begins nothing more`() {
        let queue = OutgoingQueue()
        queue.stop()
        let ran = Mutex(false)
        queue.add(OutgoingQueue.Job(attempt: { ran.withLock { $0 = true } }, report: { _, _, _ in }))
        queue.stop()
        #expect(!ran.withLock { $0 })
    }

    @Test func `a permanent failure is told once and ends the job`() {
        struct Refused: OutgoingFailure {
            let isPermanent = true
        }
        let queue = OutgoingQueue(pauses: [0.001])
        let told = Mutex<[String]>([])
        let done = DispatchSemaphore(value: 0)

        queue.add(
            OutgoingQueue.Job(
                attempt: { throw Refused() },
                report: { number, failure, next in
                    told.withLock { $0.append("\(number) \(failure is Refused) \(next == nil)") }
                    done.signal()
                }))

        #expect(done.wait(timeout: .now() + 30) == .success)
        queue.stop()
        #expect(told.withLock { $0 } == ["1 true true"])
    }

    @Test func `a job may bring pauses and a limit of its own`() {
        let queue = OutgoingQueue(pauses: [60], attemptLimit: 1)
        let told = Mutex<[String]>([])
        let done = DispatchSemaphore(value: 0)

        queue.add(
            OutgoingQueue.Job(
                retry: RetryRule(pauses: [0.001, 0.002], attemptLimit: 4),
                attempt: { throw Down() },
                report: { number, _, next in
                    told.withLock { $0.append("\(number) \(next.map { "\($0)" } ?? "last")") }
                    if next == nil { done.signal() }
                }))

        #expect(done.wait(timeout: .now() + 30) == .success)
        #expect(told.withLock { $0 } == ["1 0.001", "2 0.002", "3 0.002", "4 last"])
    }
}
