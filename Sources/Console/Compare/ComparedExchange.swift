package import Comparison
import Essentials
import HTTP

/// A recorded exchange beside what became of it here, as pages show it.
package struct ComparedExchange: Sendable {
    /// A request or an answer.
    struct Message: Sendable {
        /// `POST https://tenant.example/users`, `200`
        let head: String
        let fields: [String]
        /// Nil without one, or where it is no text.
        let body: String?
        /// What is not shown of the body; nil where all of it is.
        let remark: String?
    }

    enum Outcome: String, Sendable, CaseIterable {
        case agrees, differs
        case notEmulated = "not emulated"
        case notComparable = "not comparable"
        case elsewhere
    }

    let number: Int
    /// `POST /hanko/users`, or the address of what went elsewhere.
    let title: String
    let platform: String?
    let outcome: Outcome
    /// What there is to say of it.
    let sentences: [String]
    let at: Date
    let statuses: (recorded: Int, ours: Int?)
    let requests: (recorded: Message, ours: Message?)
    let answers: (recorded: Message, ours: Message?)

    /// - Parameter budget: bytes of bodies that may be kept yet.
    package init(_ played: Played, budget: inout Int) {
        let (exchange, finding) = (played.exchange, played.finding)
        (number, platform, at) = (exchange.number, finding.platform, exchange.startedAt)
        title = finding.route ?? "\(exchange.request.method) \(exchange.request.url)"
        (outcome, sentences) = Self.outcome(of: finding)
        statuses = (exchange.response.status, played.answer?.status)
        requests = (
            Message(
                "\(exchange.request.method) \(exchange.request.url)", exchange.request.headers,
                exchange.request.body, isCut: exchange.request.isCut, &budget),
            played.sent.map {
                Message("\($0.method) \($0.url)", $0.headers, $0.body, isCut: false, &budget)
            }
        )
        answers = (
            Message(
                "\(exchange.response.status)", exchange.response.headers, exchange.response.body,
                isCut: exchange.response.isCut, &budget),
            played.answer.map {
                Message("\($0.status)", $0.headers, $0.body, isCut: false, &budget)
            }
        )
    }

    private static func outcome(of finding: Finding) -> (Outcome, [String]) {
        switch finding.verdict {
        case .agrees: (.agrees, [])
        case .differs(let differences): (.differs, differences.map { $0.sentence + "." })
        case .notEmulated: (.notEmulated, ["Understudy has no such route."])
        case .notComparable(let reason): (.notComparable, ["Not comparable: \(reason)."])
        case .follows(let number):
            (.notComparable, ["Not comparable: it depends on request #\(number), whose answer was another."])
        case .elsewhere: (.elsewhere, ["It went to a service that is not emulated."])
        }
    }
}

extension ComparedExchange.Message {
    /// Bytes of one body.
    private static let bodyLimit = 16 << 10

    fileprivate init(
        _ head: String, _ headers: Headers, _ body: [UInt8], isCut: Bool, _ budget: inout Int
    ) {
        self.head = head
        fields = headers.fields.filter { !$0.name.equalsIgnoringCase("X-Understudy-Explain") }
            .map { "\($0.name): \($0.value)" }
        let shown = body.prefix(min(Self.bodyLimit, max(budget, 0)))
        budget -= shown.count
        let isWhole = shown.count == body.count
        // A cut in the middle of a character is no reason to show nothing.
        let isText = String(validating: body, as: UTF8.self) != nil
        self.body = body.isEmpty || !isText ? nil : String(decoding: shown, as: UTF8.self)
        remark =
            if !isText {
                "A body of \(body.count) bytes that are no text."
            } else if !isWhole {
                "The first \(shown.count) of \(body.count) bytes."
            } else {
                isCut ? "The recording has not all of this body." : nil
            }
    }
}
