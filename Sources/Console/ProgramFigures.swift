/// How the program is doing, beside what the console knows itself.
package struct ProgramFigures: Sendable {
    package var connections = 0
    /// Requests whose answers are waited for without a thread: long polls and the like.
    package var waiting = 0
    /// Threads that run handlers.
    package var threads = 0
    /// Bytes that are booked for bodies and answers.
    package var heldBytes = 0
    /// Bytes of memory that the process has; nil where the system does not tell.
    package var residentBytes: Int?

    package init() {}
}
