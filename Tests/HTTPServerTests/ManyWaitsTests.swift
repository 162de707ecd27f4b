import HTTP
import Synchronization
import Testing

@testable import HTTPServer

#if canImport(Glibc)
    /// What a wait leaves behind. Counted in a process of its own, where nobody else allocates.
    struct ManyWaitsTests {
        @Test func `a hundred thousand handlers that hold a thread leave nothing behind`() async {
            await #expect(processExitsWith: .success) {
                let waits = HandlerWaits()
                let replaced = Atomic<Int>(0)
                waits.onBegin { replaced.add(1, ordering: .relaxed) }
                try expectNothingLeft(by: 100_000) {
                    waits.begin()
                    waits.end()
                }
                #expect(replaced.load(ordering: .relaxed) == 100_000)
            }
        }

        @Test func `a hundred thousand waiting requests leave nothing behind`() async {
            await #expect(processExitsWith: .success) {
                let box = WaitBox(seconds: 0)
                let server = try TestServer(box.respond)
                let client = try server.client()
                let batch = String(repeating: "GET /w HTTP/1.1\r\nHost: a\r\n\r\n", count: 50)
                try expectNothingLeft(by: 100_000, inBatchesOf: 50) {
                    try client.send(batch)
                    for _ in 0..<50 { #expect(try client.answer().body == "/w nothing") }
                }
                #expect(box.lastQuestions == 100_000)
                server.server.stop(grace: 0)
            }
        }
    }

    /// Compares the first and the last thousand, and all that lie between, by what they leave allocated.
    private func expectNothingLeft(
        by count: Int, inBatchesOf batch: Int = 1, _ waits: () throws -> Void
    ) throws {
        func wait(times: Int) throws { for _ in 0..<times / batch { try waits() } }
        /// What a thousand leave, the least of five: other tests of this process come and go meanwhile.
        func left() throws -> Int {
            var least = Int.max
            for _ in 1...5 {
                let before = try Heap.bytesInUse()
                try wait(times: 1000)
                least = min(least, abs(try Heap.bytesInUse() - before))
            }
            return least
        }
        // The first ones make what is made once.
        try wait(times: 1000)
        let start = try Heap.bytesInUse()
        let first = try left()
        try wait(times: count - 11_000)
        let late = try Heap.bytesInUse()
        let last = try left()
        // A closure that is wrapped twice at each wait leaves 64 bytes, so that a thousand leave more than this, and all some six MB.
        #expect(first < 32_768, "each of the first thousands left \(first) bytes")
        #expect(last < 32_768, "each of the last thousands left \(last) bytes")
        #expect(late - start < 1_048_576, "all left \(late - start) bytes")
    }
#endif
