import Essentials
import Testing

@testable import Understudy

/// What the system allows is what the program plans with.
struct MemoryPlanTests {
    /// A folder with the files that a container shows, by their paths.
    private func limit(_ files: [String: String]) throws -> Int? {
        let root = FileManager.default.temporaryDirectory.path + "/understudy-memory-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        for (path, text) in files {
            let file = URL(filePath: root + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return MemoryLimit.ofGroup(below: root)
    }

    // Contents as cgroups(7) and the kernel's documents of both versions show them.
    @Test func `version 2: the least of a group and those above it`() throws {
        #expect(
            try limit([
                "/proc/self/cgroup": "0::/kubepods/pod1/app\n",
                "/sys/fs/cgroup/kubepods/pod1/app/memory.max": "max\n",
                "/sys/fs/cgroup/kubepods/pod1/memory.max": "134217728\n",
                "/sys/fs/cgroup/kubepods/memory.max": "8589934592\n",
            ]) == 134_217_728)
    }

    @Test func `version 2 inside of a container, where the path is the host's`() throws {
        #expect(
            try limit([
                "/proc/self/cgroup": "0::/../../docker/0123\n", "/sys/fs/cgroup/memory.max": "67108864\n",
            ]) == 67_108_864)
    }

    @Test func `version 1`() throws {
        let table = "11:cpu,cpuacct:/docker/0123\n9:memory:/docker/0123\n1:name=systemd:/docker/0123\n"
        #expect(
            try limit([
                "/proc/self/cgroup": table,
                "/sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes": "268435456\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            ]) == 268_435_456)
        #expect(
            try limit([
                "/proc/self/cgroup": table,
                "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            ]) == nil)
    }

    @Test func `without groups there is no limit`() throws {
        #expect(try limit([:]) == nil)
        #expect(try limit(["/proc/self/cgroup": "0::/\n"]) == nil)
    }

    @Test func `a quarter is for bodies and mails together, at most 256 MiB, unless the user says`() {
        #expect(MemoryPlan(limit: nil).bodies == 256 << 20)
        #expect(MemoryPlan(limit: 128 << 20).bodies == 32 << 20)
        #expect(MemoryPlan(limit: 8 << 30).bodies == 256 << 20)
        #expect(MemoryPlan(limit: 128 << 20, bodies: 5 << 20).bodies == 5 << 20)
    }

    @Test(arguments: [48, 64, 128, 256, 512, 4096])
    func `what is bounded, and the program itself, leave a part of the memory`(_ mebibytes: Int) throws {
        let plan = MemoryPlan(limit: mebibytes << 20)
        let pages = try #require(plan.pages)
        let left = mebibytes << 20 - MemoryPlan.program
        #expect(plan.bodies + plan.journals + pages <= left / 5 * 4)
        #expect(plan.outboxes < pages)
        #expect(plan.connections << 15 <= left / 8 || plan.connections == 64)
        #expect(plan.threads << 20 <= left / 4 || plan.threads == 8)
        #expect(plan.mail * 5 <= plan.bodies, "a mail can be handled")
    }

    @Test func `without a limit it is as generous as it was`() {
        let plan = MemoryPlan(limit: nil)
        #expect(plan.pages == nil)
        #expect(plan.busyThreads == plan.threads)
        #expect(plan.connections == 4096)
        #expect(plan.worlds == 20_000)
        #expect(plan.mail == 10 << 20)
    }
}
