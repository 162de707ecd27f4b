package import Essentials
package import HTTP

/// A recorded request that cannot be sent, or has no answer.
package struct Unsendable: Error {
    /// Without a full stop.
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}

/// A world of ours in which a recording is played, as whoever runs it offers it.
package struct Stage: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        package let headers: Headers
        package let body: [UInt8]
        /// How long it was waited for.
        package let seconds: Double

        package init(status: Int, headers: Headers, body: [UInt8], seconds: Double = 0) {
            (self.status, self.headers, self.body, self.seconds) = (status, headers, body, seconds)
        }
    }

    /// A code or link of the outbox.
    package struct Sent: Sendable {
        package let to: String
        package let code: String?
        package let link: String?
        package let isUsed: Bool
        /// By the world's clock.
        package let at: Date?

        package init(to: String, code: String?, link: String?, isUsed: Bool = false, at: Date? = nil) {
            (self.to, self.code, self.link, self.isUsed, self.at) = (to, code, link, isUsed, at)
        }
    }

    /// Base URL, without a slash at its end.
    package let base: String
    /// Sets the world's clock, and stops it.
    package let setClock: @Sendable (Date) throws -> Void
    /// Throws ``Unsendable`` for what is no request.
    package let send: @Sendable (Request.Method, _ url: String, Headers, _ body: [UInt8]) throws -> Answer
    /// What was sent with a code or a link, newest first.
    package let sent: @Sendable () throws -> [Sent]
    /// What the world's software authenticator answers, as `toJSON()` gives it. Throws ``Unsendable`` with its sentence where it refuses.
    package let passkey: @Sendable (PasskeyOrder) throws -> [UInt8]
    /// What the world has, as a fixture file.
    package let fixtures: @Sendable () throws -> [UInt8]
    /// How many calls of the world to others had no answer until now, and whom the last one was to.
    package let unanswered: @Sendable () throws -> (count: Int, last: String?)

    package init(
        base: String, setClock: @escaping @Sendable (Date) throws -> Void,
        send: @escaping @Sendable (Request.Method, String, Headers, [UInt8]) throws -> Answer,
        sent: @escaping @Sendable () throws -> [Sent],
        passkey: @escaping @Sendable (PasskeyOrder) throws -> [UInt8],
        fixtures: @escaping @Sendable () throws -> [UInt8],
        unanswered: @escaping @Sendable () throws -> (count: Int, last: String?) = { (0, nil) }
    ) {
        (self.base, self.setClock, self.send) = (base, setClock, send)
        (self.sent, self.passkey, self.fixtures, self.unanswered) = (sent, passkey, fixtures, unanswered)
    }
}
