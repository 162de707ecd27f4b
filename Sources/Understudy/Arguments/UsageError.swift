/// The command line cannot be understood. Ends the program with status 2.
struct UsageError: Error, Equatable {
    /// One line: what is wrong, and what was meant, perhaps.
    let message: String

    init(_ message: String) { self.message = message }
}

/// The command was understood and did not succeed. Ends the program with its status.
struct Failure: Error, Equatable, CustomStringConvertible {
    /// What went wrong, and what to do about it; usually one line.
    let message: String
    let status: Int32

    init(_ message: String, status: Int32 = 1) {
        self.message = message
        self.status = status
    }

    var description: String { message }
}
