import Synchronization
import Testing

@testable import HTTPServer

#if canImport(Glibc)
    /// What a wait leaves behind. Counted in a process of its own, where nobody else allocates.
    struct ManyWaitsTests {
        @Test func `a hundred thousand handlers that wait leave nothing behind`() async {
            await #expect(processExitsWith: .success) {
                let waits = HandlerWaits()
                let replaced = Atomic<Int>(0)
                waits.onBegin { replaced.add(1, ordering: .relaxed) }
                func wait(times: Int) {
                    for _ in 0..<times {
                        waits.begin()
                        waits.end()
                    }
                }
                // The first ones make what is made once.
                wait(times: 1000)
                let before = try Heap.bytesInUse()
                wait(times: 1000)
                let first = try Heap.bytesInUse() - before
                wait(times: 97_000)
                let late = try Heap.bytesInUse()
                wait(times: 1000)
                let last = try Heap.bytesInUse() - late
                #expect(replaced.load(ordering: .relaxed) == 100_000)
                #expect(abs(first) < 4096, "the first thousand left \(first) bytes")
                #expect(abs(last) < 4096, "the last thousand left \(last) bytes")
                #expect(late - before < 16_384, "all left \(late - before) bytes")
            }
        }
    }
#endif
