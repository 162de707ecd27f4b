#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif
import Essentials
import Sockets

/// This process.
enum Process {
    static func exit(_ status: Int32) -> Never {
        #if canImport(Darwin)
            Darwin.exit(status)
        #else
            Glibc.exit(status)
        #endif
    }

    /// Holds the calling thread for so long.
    static func pause(seconds: Double) { Wakeup().wait(seconds: seconds) }
}

extension POSIXError {
    /// The system's own words: `Not a directory`.
    var words: String { String(cString: strerror(code.rawValue)) }
}
