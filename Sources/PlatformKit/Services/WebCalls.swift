package import HTTP

/// Calls to other servers that a request waits for, such as fetching a client's keys.
///
/// A redirect is an answer like any other. The server replaces the waiting thread; no lock and no transaction may be held.
package struct WebCalls: Sendable {
    /// - Parameters: method, URL (`http` or `https`), header fields, body.
    /// - Throws: ``WebCallFailed``.
    package var send: @Sendable (Request.Method, String, Headers, [UInt8]) throws -> Response

    package init(send: @escaping @Sendable (Request.Method, String, Headers, [UInt8]) throws -> Response) {
        self.send = send
    }

    package func get(_ url: String, headers: Headers = [:]) throws -> Response {
        try send(.get, url, headers, [])
    }
}

/// No answer came.
package struct WebCallFailed: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
