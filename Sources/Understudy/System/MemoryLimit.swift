import Essentials
import Sockets

/// The memory that the system allows this program: its container's (cgroup), and its address space (`ulimit -v`, `prlimit --as`).
///
/// Source: Linux kernel, “Control Group v2” (`memory.max`) and “Memory Resource Controller” (`memory.limit_in_bytes`); cgroups(7) for
/// `/proc/self/cgroup`.
struct MemoryLimit {
    /// Of the address space, this much is not memory: libraries, stacks of threads, and what the allocator has taken and given back, which keeps its
    /// addresses. Source: `VmSize` less `VmRSS` of a server that was under attack, and `VmSize` less `RssAnon` of one that begins.
    static let addressesBesideMemory = 52 << 20
    /// Version 1 says a number near 2^63 where there is no limit.
    private static let endless = 1 << 50

    /// Bytes; nil without a limit.
    static var ofThisProcess: Int? {
        let addresses = System.mostAddressSpace.map { max(16 << 20, $0 - addressesBesideMemory) }
        return [ofGroup(below: ""), addresses].compactMap(\.self).min()
    }

    /// - Parameter root: what stands before `/proc` and `/sys`.
    static func ofGroup(below root: String) -> Int? {
        guard let table = text(root + "/proc/self/cgroup") else { return nil }
        return table.split(separator: "\n").compactMap { line -> Int? in
            // hierarchy-ID:controller-list:cgroup-path
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            if fields[0] == "0", fields[1].isEmpty {
                return least(root + "/sys/fs/cgroup", fields[2], "memory.max")
            }
            guard fields[1].split(separator: ",").contains("memory") else { return nil }
            return least(root + "/sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes")
        }.min()
    }

    /// The least that a group and those above it say. In a container the path may be that outside of it, which is not there inside.
    private static func least(_ mount: String, _ path: Substring, _ file: String) -> Int? {
        var parts = path.split(separator: "/").filter { $0 != ".." }
        var found: Int?
        while true {
            let folder = ([mount] + parts.map(String.init)).joined(separator: "/")
            if let bytes = text(folder + "/" + file).flatMap(Self.bytes), bytes < endless {
                found = min(bytes, found ?? bytes)
            }
            guard parts.popLast() != nil else { return found }
        }
    }

    /// `max` is no number, which stands for no limit.
    private static func bytes(_ text: String) -> Int? { Int(text.prefix { $0.isNumber }) }

    private static func text(_ path: String) -> String? {
        // What is not there says no limit.
        guard let bytes = try? BoundedFile.bytes(at: path, limit: 65_536) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
