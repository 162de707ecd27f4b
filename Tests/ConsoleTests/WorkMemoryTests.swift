import HTTP
import PlatformKit
import Synchronization
import Testing

@testable import Console

/// Answers that are as long as their world is large reserve their memory first.
struct WorkMemoryTests {
    /// Memory of which others hold all but `free` bytes.
    private final class Memory: Sendable {
        private let free: Mutex<Int>
        private let list = Mutex<[Int]>([])

        init(free: Int) { self.free = Mutex(free) }

        var left: Int { free.withLock { $0 } }
        /// What was asked for, oldest first.
        var asked: [Int] { list.withLock { $0 } }

        func work(most: Int) -> WorkMemory {
            WorkMemory(
                most: most,
                reserve: { bytes in
                    self.list.withLock { $0.append(bytes) }
                    return self.free.withLock { free in
                        guard bytes <= free else { return false }
                        free -= bytes
                        return true
                    }
                },
                giveBack: { bytes in self.free.withLock { $0 += bytes } })
        }
    }

    @Test(arguments: ["/fixtures", "/snapshots/kept/file"])
    func `without the memory it is refused, with it nothing is kept`(_ path: String) throws {
        let memory = Memory(free: 1 << 30)
        let bench = try ConsoleBench(work: memory.work(most: 1 << 30))
        #expect(bench.post("/snapshots", #"{"name": "kept"}"#).status == .created)
        #expect(bench.get(path).status == .ok)
        #expect(memory.left == 1 << 30, "all of it is given back")
        let wanted = try #require(memory.asked.last)
        let size = try bench.world.database.fileBytes()
        #expect(wanted >= 2 * size)

        let full = Memory(free: wanted - 1)
        let crowded = try ConsoleBench(work: full.work(most: 1 << 30))
        #expect(crowded.post("/snapshots", #"{"name": "kept"}"#).status == .created)
        let refused = crowded.get(path)
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.headers["Retry-After"] == "1")
        #expect(full.left == wanted - 1)
    }

    @Test func `what needs more than there is at all is refused for good, with what to do`() throws {
        let memory = Memory(free: 1000)
        let bench = try ConsoleBench(work: memory.work(most: 1000))
        let refused = bench.get("/fixtures")
        #expect(refused.status == .insufficientStorage)
        #expect(refused.headers["Retry-After"] == nil)
        #expect(String(decoding: refused.bytes, as: UTF8.self).contains("more than the 1000 that there are"))
        #expect(memory.asked.isEmpty)
    }
}
