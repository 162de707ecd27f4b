package import Essentials
package import HTTP
package import Synchronization

/// One line of a world's journal: a request with its answer, or an event that a platform told.
package struct JournalEntry: Sendable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case request, event
    }

    /// Grows by one with every entry of the world, never reused: the cursor of `after=`. Set by the journal.
    package var id = 0
    package var kind: Kind
    /// Whom the route of a request is meant for.
    package var audience: Audience?
    /// True for an error that nobody mapped: our mistake, not the client's.
    package var isBug = false
    /// By the world's clock.
    package var at: Date
    package var platform: String?
    /// The same for a request and the events that it caused; also in `X-Request-Id`.
    package var correlation: String?
    /// What a request was about, as far as its platform knew: the bearer of its token, whom its events were about, and the things
    /// that it read and changed. Of an event that no request caused, the things alone.
    package var subjects: [Subject] = []
    /// When it was written, whatever the world's clock said.
    package var instant: ContinuousClock.Instant
    /// One sentence or more, each with a capital and a full stop. Every refusal has one.
    package var explanation: String?
    package var exchange: Exchange?
    private var aside: Aside?

    /// What most entries have nothing of. A class, so that ten thousand of those pay for one reference each.
    private final class Aside: Sendable {
        struct Parts: Sendable {
            var event: String?
            var subject: String?
            var departures: [Departure] = []
            var upstream: String?
            var message: SocketMessage?
        }

        let parts: Parts
        init(_ parts: Parts) { self.parts = parts }
    }

    private var parts: Aside.Parts {
        get { aside?.parts ?? Aside.Parts() }
        set { aside = Aside(newValue) }
    }

    /// Whether it has any of them.
    var isAside: Bool { aside != nil }

    /// What happened, in a few words; nil for a request.
    package var event: String? { aside?.parts.event }

    /// Whom it is about, such as a mail address or a user id; nil for a request.
    package var subject: String? { aside?.parts.subject }

    /// Messages that a request sent; the call that an event tells of.
    package var departures: [Departure] {
        get { aside?.parts.departures ?? [] }
        set { if !newValue.isEmpty || aside != nil { parts.departures = newValue } }
    }

    /// The real service to which the request was passed on, by its URL; nil for what was emulated.
    package var upstream: String? {
        get { aside?.parts.upstream }
        set { if newValue != nil || aside != nil { parts.upstream = newValue } }
    }

    /// Of a web socket; the event that tells of it.
    package var message: SocketMessage? {
        get { aside?.parts.message }
        set { if newValue != nil || aside != nil { parts.message = newValue } }
    }

    /// A request and its answer. A class, because entries are copied often and this is the greater part of them.
    package final class Exchange: Sendable {
        package let method: String
        /// Path with query, as the client sent it.
        package let target: String
        package let status: Int
        /// From the arrival of the whole request to its answer.
        package let milliseconds: Double
        package let requestHeaders: Headers
        package let responseHeaders: Headers
        package let requestBody: Body
        package let responseBody: Body
        /// Whether the answer says no: with a status of 400 or more, or by an error that it has a browser carry to a client.
        package let isRefused: Bool
        /// What a reader worked out from it, for as long as it is kept itself.
        package let derived = Mutex<(any AnyObject & Sendable)?>(nil)

        /// - Parameter errorInBody: the code of an error that the answer's body carries to somebody else.
        package init(
            method: String, target: String, status: Int, milliseconds: Double, requestHeaders: Headers,
            responseHeaders: Headers, requestBody: Body, responseBody: Body, errorInBody: String? = nil
        ) {
            isRefused = CarriedError.isRefusal(status, responseHeaders, inBody: errorInBody)
            self.method = method
            self.target = target
            self.status = status
            self.milliseconds = milliseconds
            self.requestHeaders = requestHeaders
            self.responseHeaders = responseHeaders
            self.requestBody = requestBody
            self.responseBody = responseBody
        }
    }

    package typealias Body = JournalBody

    package init(
        _ kind: Kind, at: Date, platform: String? = nil, correlation: String? = nil, event: String? = nil,
        subject: String? = nil, explanation: String? = nil, isBug: Bool = false, exchange: Exchange? = nil,
        instant: ContinuousClock.Instant = .now
    ) {
        self.kind = kind
        self.at = at
        self.platform = platform
        self.correlation = correlation
        self.explanation = explanation
        self.isBug = isBug
        self.exchange = exchange
        self.instant = instant
        if event != nil || subject != nil { parts = Aside.Parts(event: event, subject: subject) }
    }

    /// The people among ``subjects``.
    package var users: [String] { subjects.lazy.filter { $0.kind == .user }.map(\.id) }
}
