#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // A call that Glibc's module leaves out stands in its shim.
    import Glibc
#endif

/// What the rest of the module wants from the C library, with the differences between systems taken away.
package enum System {
    #if canImport(Darwin)
        static let stream = SOCK_STREAM
        static let datagram = SOCK_DGRAM
        static let sendFlags: Int32 = 0
    #else
        static let stream = Int32(SOCK_STREAM.rawValue)
        static let datagram = Int32(SOCK_DGRAM.rawValue)
        static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    static var lastError: Int32 { errno }

    static func words(for code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    static func reason(of code: Int32) -> SocketError.Reason {
        switch code {
        case EADDRINUSE: .addressInUse
        case EACCES, EPERM: .permissionDenied
        case ECONNREFUSED: .refused
        case ETIMEDOUT: .timedOut
        case EPIPE, ECONNRESET, ENOTCONN: .closed
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .outOfDescriptors
        default: .other
        }
    }

    static func wouldBlock(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK }
    static func isInProgress(_ code: Int32) -> Bool { code == EINPROGRESS || code == EINTR }

    /// A write to a closed connection is an error to handle, not a signal to die of. OpenSSL writes without
    /// `MSG_NOSIGNAL`, so the signal is ignored for the whole process. A handler that the program set stays.
    package static func ignoreBrokenPipes() { _ = brokenPipesIgnored }

    private static let brokenPipesIgnored: Bool = {
        var present = sigaction()
        guard sigaction(SIGPIPE, nil, &present) == 0 else { return false }
        #if canImport(Darwin)
            let isDefault = present.__sigaction_u.__sa_handler == nil
        #else
            let isDefault = present.__sigaction_handler.sa_handler == nil
        #endif
        return isDefault && signal(SIGPIPE, SIG_IGN) == nil
    }()

    /// Lets this process open as many descriptors as the system allows it.
    package static func raiseDescriptorLimit() {
        var limit = rlimit()
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        #if canImport(Darwin)
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))  // setrlimit(2) refuses more there.
        #else
            limit.rlim_cur = limit.rlim_max
        #endif
        _ = setrlimit(resource, &limit)
    }

    /// As many descriptors as the system lets this process open, after ``raiseDescriptorLimit()``.
    package static var mostDescriptors: Int {
        var limit = rlimit()
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(resource, &limit) == 0 else { return .max }
        #if canImport(Darwin)
            return Int(min(limit.rlim_max, rlim_t(OPEN_MAX)))
        #else
            return Int(exactly: limit.rlim_max) ?? .max
        #endif
    }

    /// Seconds of a clock that only goes forward; its zero means nothing.
    package static var uptime: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Seconds of processor time that this process has used.
    package static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Gives memory that was freed back to the system, as far as the C library keeps it. Takes a millisecond or more.
    package static func giveBackMemory() {
        #if !canImport(Darwin)
            sockets_give_back_memory()
        #endif
    }

    /// Whole seconds since 1970-01-01T00:00:00Z.
    package static var secondsSince1970: Int { time(nil) }

    /// What this machine calls itself, such as `mac` or `mac.local`; empty when it does not.
    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

extension SocketError {
    /// - Parameter subject: what the call was about, such as an address; put before the system's own words.
    init(errno code: Int32, call: String, subject: String = "") {
        let words = System.words(for: code)
        self.init(
            System.reason(of: code), code: Int(code),
            message: subject.isEmpty ? words : "\(subject): \(words)",
            call: call)
    }

    static func timedOut(_ subject: String, call: String) -> SocketError {
        SocketError(.timedOut, message: "\(subject): no answer in time", call: call)
    }
}
