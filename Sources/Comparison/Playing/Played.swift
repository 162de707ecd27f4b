package import HTTP

/// A recorded exchange, and what became of it in the first of the two worlds.
package struct Played: Sendable {
    package struct Sent: Sendable {
        package let method: String
        package let url: String
        package let headers: Headers
        package let body: [UInt8]
    }

    package let exchange: Exchange
    package let finding: Finding
    /// Nil where it was not sent.
    package let sent: Sent?
    package let answer: Stage.Answer?

    init(_ exchange: Exchange, _ finding: Finding, _ request: PlayedRequest?, _ answer: Stage.Answer?) {
        (self.exchange, self.finding, self.answer) = (exchange, finding, answer)
        sent = request.map {
            Sent(method: $0.method.rawValue, url: $0.url, headers: $0.headers, body: $0.body)
        }
    }
}
