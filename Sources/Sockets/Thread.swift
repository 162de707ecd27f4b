#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif

/// A thread of the system. It takes no signals but those that its own faults raise. Whoever started it calls
/// ``join()`` or ``detach()``, once.
///
/// Unchecked: a `pthread_t` is a name that any thread may use.
package struct Thread: @unchecked Sendable {
    #if canImport(Darwin)
        private typealias Handle = pthread_t?
    #else
        private typealias Handle = pthread_t
    #endif

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private let handle: Handle

    /// - Parameter stackBytes: address space for the stack; memory is used as the stack grows.
    /// - Throws: when the system has no thread left.
    package init(stackBytes: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) throws {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        pthread_attr_setstacksize(attributes, stackBytes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        #if canImport(Darwin)
            var made: pthread_t?
        #else
            var made = pthread_t()
        #endif
        let work = Unmanaged.passRetained(Work(body))
        // Apple's headers say of the argument now that it may be null, now that it may not.
        let code = pthread_create(&made, attributes, { Thread.run($0) }, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw SocketError(errno: code, call: "pthread_create")
        }
        handle = made
    }

    /// Waits until the body has returned.
    package func join() {
        #if canImport(Darwin)
            if let handle { pthread_join(handle, nil) }
        #else
            pthread_join(handle, nil)
        #endif
    }

    /// Lets the thread clean up after itself, whenever it ends.
    package func detach() {
        #if canImport(Darwin)
            if let handle { pthread_detach(handle) }
        #else
            pthread_detach(handle)
        #endif
    }

    private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let work else { return nil }
        leaveSignalsToOthers()
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
    }

    private static func leaveSignalsToOthers() {
        var signals = sigset_t()
        sigfillset(&signals)
        for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, own) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
