#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif
import Essentials

extension Terminal {
    /// The process's own standard output and standard error.
    static let standard: Terminal = {
        let environment = ProcessInfo.processInfo.environment
        return Terminal(
            write: { writeAll($0, to: STDOUT_FILENO) },
            writeError: { writeAll($0, to: STDERR_FILENO) },
            environment: environment,
            isColoured: wantsColour(isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment))
    }()

    /// Past every buffer, so that who reads a pipe sees a line when it was said. A reader who went away is no error.
    private static func writeAll(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = put(rest, descriptor)
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if written == 0 || errno != EINTR {
                    return
                }
            }
        }
    }

}

/// `write(2)`, which the member of the same name hides above.
private func put(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ descriptor: Int32) -> Int {
    write(descriptor, UnsafeBufferPointer(rebasing: bytes).baseAddress, bytes.count)
}
