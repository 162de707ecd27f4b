#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif

/// A file that is seen in memory: what nobody looks at is never read. Only for one that nobody shortens, such as the program itself.
final class MappedFile: Sendable {
    private let address: UInt
    private let count: Int

    /// Good as long as the file is held.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
    }

    /// Nil for a file that cannot be seen, or is empty.
    init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        guard size > 0, let start = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, descriptor, 0),
            start != MAP_FAILED
        else { return nil }
        (address, count) = (UInt(bitPattern: start), Int(size))
    }

    deinit { munmap(UnsafeMutableRawPointer(bitPattern: address), count) }
}
