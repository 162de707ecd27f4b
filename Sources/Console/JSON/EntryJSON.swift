import HTTP
import PlatformKit

/// An entry of the journal, as the API gives it.
struct EntryJSON: Encodable, Sendable {
    struct Exchange: Encodable, Sendable {
        let method: String
        let target: String
        let status: Int
        /// Milliseconds.
        let duration: Double
        /// Pairs of name and value, in the order of the wire.
        let requestHeaders: [[String]]
        let responseHeaders: [[String]]
        /// The first 16 KiB; left out when empty.
        let requestBody: String?
        let responseBody: String?
    }

    /// Of a web socket.
    struct Message: Encodable {
        let direction: SocketMessage.Direction
        /// The first 16 KiB; left out when empty.
        let body: String?
    }

    let id: Int
    let kind: String
    let at: String
    let platform: String?
    let correlation: String?
    let event: String?
    let subject: String?
    /// Whom a request was about; left out where nobody knows.
    let users: [String]?
    /// The things it was about, beside people; left out where there is none.
    let subjects: [FlowJSON.Thing]?
    /// Whom the route of a request is meant for.
    let audience: String?
    let explanation: String?
    let isBug: Bool
    /// The real service to which the request was passed on; left out where it was emulated.
    let upstream: String?
    let exchange: Exchange?
    let message: Message?

    init(_ entry: JournalEntry) {
        id = entry.id
        kind = entry.kind.rawValue
        at = Timestamp.text(entry.at)
        platform = entry.platform
        correlation = entry.correlation
        event = entry.event
        subject = entry.subject
        users = entry.users.isEmpty ? nil : entry.users
        let things = entry.subjects.filter { $0.kind != .user }
        subjects = things.isEmpty ? nil : things.map { FlowJSON.Thing($0) }
        audience = entry.audience?.rawValue
        explanation = entry.explanation
        isBug = entry.isBug
        upstream = entry.upstream
        exchange = entry.exchange.map(Exchange.init)
        message = entry.message.map { Message(direction: $0.direction, body: $0.body.text) }
    }
}

extension EntryJSON.Exchange {
    init(_ exchange: JournalEntry.Exchange) {
        self.init(
            method: exchange.method, target: exchange.target, status: exchange.status,
            duration: (exchange.milliseconds * 1000).rounded() / 1000,
            requestHeaders: exchange.requestHeaders.fields.map { [$0.name, $0.value] },
            responseHeaders: exchange.responseHeaders.fields.map { [$0.name, $0.value] },
            requestBody: exchange.requestBody.text, responseBody: exchange.responseBody.text)
    }
}
