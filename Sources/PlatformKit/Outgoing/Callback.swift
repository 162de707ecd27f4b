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
    /// When it is tried again.
    package var retry = RetryRule.standard
    /// Called before every attempt, outside of any transaction, to complete the call with what is asked for elsewhere, such as an
    /// access token. What it throws fails the attempt.
    package var prepare: (@Sendable (inout Callback) throws -> Void)?
    /// Called after every attempt, outside of any transaction; not for a callback that the world holds back (``CallsFixture``). What it
    /// throws is told in the journal.
    package var outcome: (@Sendable (CallbackAttempt) throws -> Void)?

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

/// Where a platform puts its callbacks. They are made after the request, tried again as their ``RetryRule`` says, and each
/// attempt stands in the journal. Those to one receiver (scheme, host and port) are made one after the other; while one waits
/// for its next attempt the others go on. Receivers do not wait for each other.
/// What has not succeeded when the program ends is lost, also with a data folder.
package struct Callbacks: Sendable {
    package var send: @Sendable (Callback) -> Void
    package init(send: @escaping @Sendable (Callback) -> Void) { self.send = send }
}
