import Sockets
import Testing

@testable import HTTPServer

/// How many threads stay for handlers that come and go.
struct WorkerPoolTests {
    private let gate = Gate()
    private let waits = HandlerWaits()

    /// A pool whose threads work until ``dismiss(_:)``.
    private func pool(beyondFewest count: Int) throws -> WorkerPool {
        let pool = WorkerPool(most: 64, mostBusy: 64, waits: waits, housekeeper: Wakeup())
        try pool.hire(pool.fewest + count) { [gate] in gate.wait() }
        return pool
    }

    private func dismiss(_ pool: WorkerPool) {
        gate.open()
        pool.dismiss(until: System.uptime + 10)
    }

    @Test func `the threads that four short waits were given stay for the next four`() throws {
        let pool = try pool(beyondFewest: 0)
        defer { dismiss(pool) }

        for round in 1...3 {
            for _ in 1...4 {
                waits.begin()
                if pool.isShort { try pool.hire(1) { [gate] in gate.wait() } }
            }
            #expect(pool.count == pool.fewest + 4, "round \(round)")
            for _ in 1...4 {
                waits.end()
                #expect(!pool.isCrowded)
            }
        }
    }

    @Test func `more threads than that leave when nobody waits any more`() throws {
        let pool = try pool(beyondFewest: WorkerPool.surplus + 2)
        defer { dismiss(pool) }

        for _ in 1...2 { waits.begin() }
        #expect(!pool.isCrowded)
        for _ in 1...2 { waits.end() }
        #expect(pool.isCrowded)
        for _ in 1...2 { #expect(pool.canSpare()) }
        #expect(!pool.isCrowded)
    }
}
