import Dispatch
import Essentials
import SQLite
import Synchronization
import TestKit
import Testing

@testable import PlatformKit

@Suite struct WorldClockTests {
    private let time = ManualTime()
    private let clock: WorldClock

    init() {
        clock = WorldClock(real: { [time] in time.now })
    }

    @Test func `it follows real time, shifted`() throws {
        try clock.advance(seconds: 100)
        time.advance(seconds: 5)
        #expect(clock.now == ManualTime.start + 105)
        try clock.advance(seconds: -200)
        #expect(clock.now == ManualTime.start - 95)
    }

    @Test(arguments: [0.001, 0.25, 0.999, 0.9994, 0.9996])
    func `what is stored now comes back as now`(_ fraction: Double) throws {
        time.advance(seconds: fraction)
        let running = clock.now
        #expect(running.asStored == running)
        // A sum of fractions may be a nanosecond off.
        #expect(running <= time.now + 1e-6)
        try clock.set(now: ManualTime.start + fraction, frozen: true)
        let standing = clock.now
        #expect(standing.asStored == standing)
    }

    @Test func `no move is lost when several move it at once`() {
        let clock = WorldClock(real: { [time] in time.now }) { _ in
            // Storing takes its time.
            _ = (1...1000).reduce(0, +)
        }
        DispatchQueue.concurrentPerform(iterations: 2000) { _ in
            #expect(throws: Never.self) { try clock.advance(seconds: 1) }
        }
        #expect(clock.now == ManualTime.start + 2000)
    }

    @Test func `frozen it stands still, but can be moved`() throws {
        try clock.set(now: nil, frozen: true)
        time.advance(seconds: 50)
        #expect(clock.now == ManualTime.start)
        try clock.advance(seconds: 10)
        #expect(clock.now == ManualTime.start + 10)
        #expect(clock.isFrozen)
    }

    @Test func `let go it runs on from where it stood`() throws {
        let then = Date(timeIntervalSince1970: 2_000_000_000)
        try clock.set(now: then, frozen: true)
        time.advance(seconds: 50)
        try clock.set(now: nil, frozen: false)
        time.advance(seconds: 3)
        #expect(clock.now == then + 3)
    }

    @Test func `released it is real time again`() throws {
        try clock.set(now: Date(timeIntervalSince1970: 0), frozen: true)
        try clock.release()
        #expect(clock.now == time.now)
    }

    @Test(arguments: [-1.0, 253_402_300_800.0, 1e300])
    func `a time that no format can say is refused and changes nothing`(_ seconds: Double) {
        #expect(throws: ClockOutOfRange.self) {
            try clock.set(now: Date(timeIntervalSince1970: seconds), frozen: nil)
        }
        #expect(clock.now == ManualTime.start)
    }

    @Test(arguments: [(-1e11, 0.0), (2.534e11, 253_402_300_799)])
    func `an offset that leads out of the years we can say stops at the last of them`(
        _ offset: Double, _ seconds: Double
    ) {
        let clock = WorldClock(.init(offsetSeconds: offset), real: { [time] in time.now })
        #expect(clock.now == Date(timeIntervalSince1970: seconds))
    }

    @Test func `a change that cannot be kept does not happen`() {
        struct Full: Error {}
        let clock = WorldClock(real: { ManualTime.start }, keep: { _ in throw Full() })
        #expect(throws: Full.self) { try clock.advance(seconds: 1) }
        #expect(clock.now == ManualTime.start)
    }
}
