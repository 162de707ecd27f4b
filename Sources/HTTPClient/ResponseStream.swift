package import HTTP

/// An answer whose body is read as it arrives, such as server-sent events. Used by one thread at a time.
package final class ResponseStream {
    package let status: Status
    package let headers: Headers
    private let exchange: Exchange

    init(_ exchange: Exchange, _ head: ResponseHead) {
        self.exchange = exchange
        (status, headers) = (head.status, head.headers)
    }

    /// Waits for the next bytes of the body; `nil` when it has ended.
    ///
    /// - Parameter timeout: seconds for this wait alone. After ``ClientError/timedOut(_:seconds:)`` the stream can be read on.
    package func next(timeout: Double = .infinity) throws(ClientError) -> [UInt8]? {
        guard case .body(let piece) = try exchange.next(until: Deadline(seconds: timeout)) else { return nil }
        return piece
    }

    /// Closes the connection, as letting go of the stream does.
    package func close() { exchange.close() }
}
