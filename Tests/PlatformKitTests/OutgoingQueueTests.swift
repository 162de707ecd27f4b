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

    /// What jobs did, in their order, and who waits for it.
    private final class Minutes: Sendable {
        let lines = Mutex<[String]>([])
        private let written = DispatchSemaphore(value: 0)

        func write(_ line: String) {
            lines.withLock { $0.append(line) }
            written.signal()
        }

        func wait(for count: Int) {
            for _ in 0..<count { #expect(written.wait(timeout: .now() + 30) == .success) }
        }
    }

    private func job(_ lane: String, _ attempt: @escaping @Sendable () -> Void) -> OutgoingQueue.Job {
        OutgoingQueue.Job(lane: lane, attempt: attempt, report: { _, _, _ in })
    }

    @Test func `a lane that is stuck holds up no other one, and keeps its own order`() {
        let queue = OutgoingQueue()
        let done = Minutes()
        let gate = DispatchSemaphore(value: 0)
        queue.add(
            job("slow") {
                gate.wait()
                done.write("slow 0")
            })
        for number in 1...20 { queue.add(job("slow") { done.write("slow \(number)") }) }

        for number in 0...20 { queue.add(job("quick") { done.write("quick \(number)") }) }
        done.wait(for: 21)
        #expect(done.lines.withLock { $0 } == (0...20).map { "quick \($0)" })
        gate.signal()
        done.wait(for: 21)

        #expect(done.lines.withLock { $0.dropFirst(21) } == (0...20).map { "slow \($0)" }[...])
        queue.stop()
    }

    @Test func `no more lanes are at work than may be, and the others take turns with them`() {
        let queue = OutgoingQueue(workerLimit: 1)
        let done = Minutes()
        let gate = DispatchSemaphore(value: 0)
        queue.add(
            job("a") {
                gate.wait()
                done.write("a1")
            })
        queue.add(job("a") { done.write("a2") })
        queue.add(job("a") { done.write("a3") })
        queue.add(job("b") { done.write("b1") })
        queue.add(job("b") { done.write("b2") })
        #expect(queue.figures == (2, 1))

        gate.signal()
        done.wait(for: 5)

        #expect(done.lines.withLock { $0 } == ["a1", "b1", "a2", "b2", "a3"])
        queue.stop()
    }

    @Test func `a stop waits for what is under way, begins nothing more and leaves nothing behind`() {
        let queue = OutgoingQueue(pauses: [60])
        let done = Minutes()
        let gate = DispatchSemaphore(value: 0)
        for lane in ["a", "b", "c"] {
            queue.add(
                job(lane) {
                    done.write("\(lane) began")
                    gate.wait()
                    done.write("\(lane) ended")
                })
            queue.add(job(lane) { done.write("\(lane) is too late") })
        }
        done.wait(for: 3)

        #expect(!queue.stop(seconds: 0))
        for _ in 1...3 { gate.signal() }
        queue.stop()

        let lines = done.lines.withLock { Set($0.dropFirst(3)) }
        #expect(lines == ["a ended", "b ended", "c ended"])
        #expect(queue.figures == (0, 0))
    }

    @Test func `a lane without work ends, and so does who worked in it`() {
        var lanes = OutgoingLanes()
        for lane in ["a", "b"] { lanes.add(OutgoingLanes.Turn(job: job(lane) {}, attempt: 1)) }
        let hired = [lanes.hires(atMost: 1), lanes.hires(atMost: 1)]
        #expect(hired == [true, false])
        for (lane, left) in [("a", 1), ("b", 0)] {
            let turn = lanes.next()
            #expect(turn?.job.lane == lane)
            if let turn { lanes.finish(turn) }
            #expect(lanes.count == left)
        }
        let none = lanes.next()
        #expect(none?.attempt == nil)
        #expect(lanes.workers == 0)
    }

    @Test func `what waits for its time when the queue stops is forgotten`() {
        var lanes = OutgoingLanes()
        let number = lanes.delay(OutgoingLanes.Turn(job: job("a") {}, attempt: 2))
        lanes.stop()
        if let number { lanes.wake(number) }
        let isHired = lanes.hires(atMost: 1)
        let later = lanes.delay(OutgoingLanes.Turn(job: job("a") {}, attempt: 3))
        #expect(number != nil && !isHired && later == nil)
    }
}
