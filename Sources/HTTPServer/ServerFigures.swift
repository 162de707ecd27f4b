/// How a server is doing at this moment.
package struct ServerFigures: Sendable, Equatable {
    /// Open connections, those that are being closed included.
    package var connections = 0
    /// Threads that run handlers, and how many of them wait for work.
    package var threads = 0
    package var idleThreads = 0
    /// Requests whose answers are waited for without a thread.
    package var waiting = 0
    /// Requests that a handler has answered since the start.
    package var answered = 0
    /// Bytes of bodies that have come in part.
    package var bodyBytes = 0
}
