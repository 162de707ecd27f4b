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
        // The first ones make what is made once.
        try wait(times: 1000)
        let start = try Heap.bytesInUse()
        try wait(times: 1000)
        let first = try Heap.bytesInUse() - start
        try wait(times: count - 3000)
        let late = try Heap.bytesInUse()
        try wait(times: 1000)
        let last = try Heap.bytesInUse() - late
        // A closure that is wrapped twice at each wait leaves 64 bytes, so that a thousand leave more than this.
        #expect(abs(first) < 32_768, "the first thousand left \(first) bytes")
        #expect(abs(last) < 32_768, "the last thousand left \(last) bytes")
        #expect(late - start < 262_144, "all left \(late - start) bytes")
    }
#endif
