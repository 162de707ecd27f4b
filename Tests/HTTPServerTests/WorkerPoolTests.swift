import Sockets
import Testing

@testable import HTTPServer

/// How many threads stay for handlers that come and go.
struct WorkerPoolTests {
    private let gate = Gate()
    private let waits = HandlerWaits()

    /// A pool with some threads more than it needs.
    private func pool(surplus: Int) throws -> WorkerPool {
        let pool = WorkerPool(most: 64, mostBusy: 64, waits: waits, housekeeper: Wakeup())
        try pool.hire(pool.fewest + surplus) { [gate] in gate.wait() }
        return pool
    }

    private func dismiss(_ pool: WorkerPool) {
        gate.open()
        pool.dismiss(until: System.uptime + 10)
    }

    @Test func `after a wait threads stay that the next one needs, and not more than a few`() throws {
        let pool = try pool(surplus: 4)
        defer { dismiss(pool) }
        #expect(pool.isCrowded)

        pool.noteWait()
        #expect(!pool.isCrowded)

        try pool.hire(8) { [gate] in gate.wait() }
        #expect(pool.isCrowded)
    }

    @Test func `a thread is not spared while others wait in its place`() throws {
        let pool = try pool(surplus: 1)
        defer { dismiss(pool) }

        waits.begin()
        #expect(!pool.canSpare())
        waits.end()
        #expect(pool.canSpare())
        #expect(!pool.canSpare())
    }
}
