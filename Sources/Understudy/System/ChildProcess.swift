#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif

/// A command that runs beside this program, with the same standard streams.
struct ChildProcess {
    /// How a shell says that a command cannot be found, and that it cannot be run.
    static let notFound: Int32 = 127
    static let notRunnable: Int32 = 126

    let id: pid_t

    /// Starts `command`, looked up in `PATH`, with default signals, whatever this program holds back or ignores.
    ///
    /// - Throws: ``Failure`` with the status that a shell would end with.
    init(_ command: [String], environment: [String: String]) throws {
        let name = command.first ?? ""
        var id: pid_t = 0
        let code = Self.withCStrings(command) { arguments in
            Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                Self.withDefaultSignals { posix_spawnp(&id, name, nil, $0, arguments, variables) }
            }
        }
        guard code == 0 else {
            let words = String(cString: strerror(code))
            throw Failure("\(name): \(words)", status: code == ENOENT ? Self.notFound : Self.notRunnable)
        }
        self.id = id
    }

    /// The status that the program is to end with, once the command has ended: its own, or 128 and the signal's number.
    func statusIfEnded() -> Int32? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    func send(_ signal: Int32) { _ = kill(id, signal) }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }

    #if canImport(Darwin)
        private typealias Attributes = posix_spawnattr_t?
    #else
        private typealias Attributes = posix_spawnattr_t
    #endif

    private static func withDefaultSignals(_ body: (UnsafeMutablePointer<Attributes>) -> Int32) -> Int32 {
        withUnsafeTemporaryAllocation(of: Attributes.self, capacity: 1) { memory in
            guard let attributes = memory.baseAddress else { return ENOMEM }
            var none = sigset_t()
            var all = sigset_t()
            sigemptyset(&none)
            sigemptyset(&all)
            for signal in [SIGPIPE, SIGCHLD] { sigaddset(&all, signal) }
            posix_spawnattr_init(attributes)
            defer { posix_spawnattr_destroy(attributes) }
            posix_spawnattr_setsigmask(attributes, &none)
            posix_spawnattr_setsigdefault(attributes, &all)
            posix_spawnattr_setflags(
                attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
            return body(attributes)
        }
    }
}
