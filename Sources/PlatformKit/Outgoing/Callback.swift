package import HTTP

/// A call that a platform makes to somebody's back end: a webhook, the result of a transaction.
package struct Callback: Sendable {
    package var method: Request.Method
    /// `http` or `https`.
    package var url: String
    package var headers: Headers
    package var body: [UInt8]
    /// What it is about, for the journal, such as `webhook user.create`.
    package var purpose: String

    package init(
        _ method: Request.Method = .post, url: String, headers: Headers = [:], body: [UInt8] = [],
        purpose: String
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.purpose = purpose
    }
}

/// Where a platform puts its callbacks. They are made after the request, one after the other, tried again when nobody
/// answers or the answer is 408, 429 or 5xx, and each attempt stands in the journal. What has not succeeded when the program
/// ends is lost, also with a data folder.
package struct Callbacks: Sendable {
    package var send: @Sendable (Callback) -> Void
    package init(send: @escaping @Sendable (Callback) -> Void) { self.send = send }
}
