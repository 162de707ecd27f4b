#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif

/// Signals as values: held back from every thread and fetched by the one that waits for them.
///
/// A signal that comes again while the program stops waits for ever, so any number of them is one clean stop.
struct Signals {
    /// What asks a server to stop.
    static let stop = Signals([SIGINT, SIGTERM, SIGHUP])
    /// What is passed on to a command, and the news that it has ended.
    static let command = Signals([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD])

    private var set = sigset_t()

    private init(_ signals: [Int32]) {
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        // Under nohup the end of the terminal is to be survived.
        if Self.isIgnored(SIGHUP) { sigdelset(&set, SIGHUP) }
    }

    /// To be called before the first thread is started: threads inherit what is held back.
    func hold() {
        var set = set
        // A signal that is to be ignored, as a shell asks for commands in the background, may be dropped although it is
        // held back; one with a handler is not.
        for number in [SIGINT, SIGTERM, SIGCHLD] where sigismember(&set, number) == 1 {
            signal(number) { _ in }
        }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for the next of them.
    func next() -> Received {
        var set = set
        #if canImport(Darwin)
            var number: Int32 = 0
            while sigwait(&set, &number) != 0 {}
            return Received(number: number, isFromTerminal: false)
        #else
            var info = siginfo_t()
            var number: Int32 = -1
            while number < 0 { number = sigwaitinfo(&set, &info) }
            return Received(number: number, isFromTerminal: info.si_code == SI_KERNEL)
        #endif
    }

    struct Received {
        let number: Int32
        /// The terminal sent it, to every process that runs in its foreground.
        let isFromTerminal: Bool

        /// A child process has ended, or has been stopped.
        var isNewsOfChild: Bool { number == SIGCHLD }
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var present = sigaction()
        guard sigaction(signal, nil, &present) == 0 else { return false }
        #if canImport(Darwin)
            let handler = present.__sigaction_u.__sa_handler
        #else
            let handler = present.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
