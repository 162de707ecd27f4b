#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Calls that Glibc's module leaves out stand in its shim.
    import Glibc
#endif

/// Memory of this process.
extension System {
    /// Bytes of address space that this process may take (`RLIMIT_AS`), threads' stacks and what was never touched included; nil without a
    /// limit.
    package static var mostAddressSpace: Int? {
        var limit = rlimit()
        #if canImport(Darwin)
            let resource = RLIMIT_AS
        #else
            let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        #endif
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
        return Int(exactly: limit.rlim_cur)
    }

    /// Has all threads allocate from a few common pools. glibc would make one for each of many threads, and memory that is
    /// free in one pool is not there for the others. Each but the first takes 64 MiB of address space, so there is only that one where
    /// address space is limited.
    ///
    /// Blocks of 256 KiB and more go back to the system when they are freed; glibc would keep larger and larger ones, up to 32 MiB.
    package static func shareMemoryPools() {
        #if !canImport(Darwin)
            sockets_limit_memory_pools(mostAddressSpace == nil ? 2 : 1)
            sockets_give_large_blocks_back(256 * 1024)
        #endif
    }
}
