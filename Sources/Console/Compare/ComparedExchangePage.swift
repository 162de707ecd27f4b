import HTTP
import PlatformKit

/// A recorded exchange and ours, side by side.
struct ComparedExchangePage {
    typealias Message = ComparedExchange.Message

    let base: String
    /// Name of its file.
    let recording: String
    let exchange: ComparedExchange
    /// Numbers of its neighbours.
    let before: Int?
    let after: Int?

    var title: String { "#\(exchange.number) \(exchange.title)" }

    var html: HTML {
        """
        <article class="compared" data-page="compared" data-id="\(exchange.number)">
        <header class="lead">
        <p class="back"><a href="\(base)/compare">Compare</a></p>
        <h1 title="\(title)">\(EntryLine.short(title))</h1>
        </header>
        \(.facts(facts, []))
        \(exchange.sentences.map { "<p class=\"sentence \(exchange.outcome.tone)\">\($0)</p>" as HTML })
        <h2>Request</h2>
        \(sides(exchange.requests, "request"))
        <h2>Answer</h2>
        \(sides(exchange.answers, "answer"))
        <p class="turning">\(neighbour(before, "Previous"))\(neighbour(after, "Next"))</p>
        </article>
        """
    }

    private var facts: [(name: String, value: HTML)] {
        [
            (
                "Outcome",
                "<span class=\"outcome \(exchange.outcome.tone)\">\(exchange.outcome.rawValue)</span>"
            ),
            ("In", "\(recording)"), ("At", .time(Timestamp.text(exchange.at))),
        ]
    }

    private func sides(_ sides: (recorded: Message, ours: Message?), _ kind: String) -> HTML {
        let nothing: HTML = "<p class=\"hint\">It was not sent.</p>"
        return """
            <div class="drawings sides">
            <div class="exchange">
            <h3 id="\(kind)-recorded">Recorded</h3>
            \(message(sides.recorded))
            </div>
            <div class="exchange">
            <h3 id="\(kind)-ours">Understudy</h3>
            \(sides.ours.map(message) ?? nothing)
            </div>
            </div>
            """
    }

    private func message(_ message: Message) -> HTML {
        """
        <pre class="headers" tabindex="0">\(([message.head] + message.fields).joined(separator: "\n"))</pre>
        \(body(message))
        \(message.remark.map { "<p class=\"hint\">\($0)</p>" as HTML } ?? .none)
        """
    }

    private func body(_ message: Message) -> HTML {
        guard let text = message.body else { return .none }
        if message.remark == nil, let markup = JSONMarkup(text) {
            return "<div class=\"body\">\(markup.html)</div>"
        }
        return "<pre class=\"body\" tabindex=\"0\">\(text)</pre>"
    }

    private func neighbour(_ number: Int?, _ title: String) -> HTML {
        number.map { "<a href=\"\(base)/compare/\($0)\">\(title): #\($0)</a>" } ?? "<span></span>"
    }
}
