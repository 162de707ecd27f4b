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

    /// How a platform calls itself where it is a client.
    package static func userAgent(of platform: String) -> String { "understudy (\(platform))" }

    /// The same calls, made by a platform that says its name.
    func made(by platform: String) -> WebCalls {
        WebCalls { method, url, headers, body in
            var headers = headers
            if headers["User-Agent"] == nil { headers["User-Agent"] = Self.userAgent(of: platform) }
            return try send(method, url, headers, body)
        }
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
