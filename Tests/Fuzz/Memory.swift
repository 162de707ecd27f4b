#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The memory of this process.
enum Memory {
    /// The most that was resident at any time.
    static var peakMiB: Int {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss / 1024
        #else
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss / 1024 / 1024
        #endif
    }
}
