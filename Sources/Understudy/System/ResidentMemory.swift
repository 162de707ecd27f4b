import Essentials

/// The memory that this process has.
enum ResidentMemory {
    /// Nil where the system does not tell. Source: proc(5), `VmRSS` of `/proc/self/status`, in KiB.
    static var bytes: Int? {
        // Other systems have no such file.
        guard let status = try? BoundedFile.bytes(at: "/proc/self/status", limit: 65_536) else { return nil }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first {
            $0.hasPrefix("VmRSS:")
        }
        return line.flatMap { line in Int(line.filter(\.isNumber)) }.map { $0 * 1024 }
    }
}
