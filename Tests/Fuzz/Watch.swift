import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells which case was under way when the process traps, or when a case takes longer than ``patienceSeconds``.
struct Watch {
    private static let patienceSeconds: UInt32 = 20
    private static let present = Atomic<UInt64>(0)
    private static let fuzzer = Mutex<Fuzzer?>(nil)

    init(_ fuzzer: Fuzzer) {
        Self.fuzzer.withLock { $0 = fuzzer }
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM] {
            signal(number) { Watch.fail($0) }
        }
    }

    func begin(_ number: UInt64) { Self.present.store(number, ordering: .relaxed) }

    /// Begins to wait anew for something to go on.
    func restart() { alarm(Self.patienceSeconds) }

    /// In a signal handler, where little is allowed: the process is lost in any case, and what is printed is all that counts.
    private static func fail(_ number: Int32) {
        signal(SIGALRM, SIG_DFL)
        alarm(5)
        let what = number == SIGALRM ? "a case does not end" : "the process was stopped by signal \(number)"
        fuzzer.withLockIfAvailable { $0?.tell(what, present.load(ordering: .relaxed)) }
        _exit(1)
    }
}
