/// Every bound that the server sets a client.
package struct Limits: Sendable {
    /// Bytes of request line and header fields together; beyond it 414 or 431.
    package var headBytes = 64 * 1024
    /// Header fields of a request; one more gets a 431.
    package var headerFields = 100
    /// Bytes of body, where the route says nothing else; beyond it 413.
    package var bodyBytes = 4 * 1024 * 1024
    /// Bytes that all clients together may have the server hold: of bodies on their way and while they are handled, and of answers that
    /// wait to be read. Who needs more gets a 503, and a 413 where one request alone is too much. Used where the server is given no budget.
    package var bodyMemory = 256 * 1024 * 1024
    /// Bytes of one client's that take nothing of ``bodyMemory``, so that small requests are answered while large ones have it all.
    package var freeBytes = 16 * 1024
    /// Open connections; one more gets a 503 and is closed.
    package var connections = 4096
    /// Seconds from the first byte of a request to the end of its head; beyond it 408.
    package var headSeconds = 10.0
    /// Bytes a second that a body must bring on average after ``bodyGraceSeconds``; below it 408.
    package var bodyBytesPerSecond = 256.0
    package var bodyGraceSeconds = 10.0
    /// Seconds that a connection may stay open between two requests.
    package var keepAliveSeconds = 75.0
    /// Bytes that may wait for a client that does not read; beyond it a stream is dropped and a web socket closed.
    package var unsentBytes = 1024 * 1024
    /// Seconds that a response may make no progress.
    package var sendSeconds = 30.0
    /// Seconds without a byte from a web socket's client after which it is asked with a ping, and seconds after the ping
    /// at which it is given up: `closed` is told 1006.
    package var webSocketPingSeconds = 30.0
    package var webSocketPongSeconds = 30.0
    /// Pings and pongs of a web socket's client within a second; one more closes it with 1008.
    package var webSocketControlFrames = 1000
    /// Seconds that the client may take to answer a Close frame.
    package var webSocketCloseSeconds = 3.0
    /// Threads that run handlers. A client that waits holds none; a handler that calls another server does, and where that server is
    /// this one the call needs another, so there are many.
    package var handlerThreads = 4096 + 64
    /// Of these, threads whose handlers do not say that they wait for another server. Each may take memory for what it makes.
    package var busyThreads = 4096 + 64

    package init() {}
}
