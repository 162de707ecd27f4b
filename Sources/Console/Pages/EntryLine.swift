import HTTP
import PlatformKit

/// The markup of one line of the journal.
struct EntryLine {
    let group: EntryGroup
    /// Whether request and answer stand inside; the home page leaves them out.
    let isFull: Bool

    var html: HTML {
        guard let request = group.request, let exchange = request.exchange else {
            return """
                <li class="entry lone" data-id="\(group.id)">
                \(group.events.map { event in "<p class=\"event\">\(Self.sentence(event)) \(Self.time(event))</p>" as HTML })
                </li>
                """
        }
        return """
            <li class="entry" data-id="\(group.id)">
            <details>
            <summary>
            \(summary(request, exchange))
            </summary>
            \(isFull ? insides(exchange) : "")
            </details>
            \(events)
            </li>
            """
    }

    private func summary(_ entry: JournalEntry, _ exchange: JournalEntry.Exchange) -> [HTML] {
        var parts: [HTML] = [
            "<span class=\"outcome \(Self.outcome(entry, exchange))\">\(exchange.status)</span>",
            "<span class=\"method\">\(exchange.method)</span>",
            "<span class=\"target\">\(exchange.target)</span>",
        ]
        if let platform = entry.platform { parts.append("<span class=\"about\">\(platform)</span>") }
        parts.append("<span class=\"duration\">\(Self.duration(exchange.milliseconds)) ms</span>")
        parts.append(Self.time(entry))
        let explanation = entry.explanation ?? ""
        if entry.isBug {
            parts.append("<span class=\"why\"><strong>A bug of Understudy.</strong> \(explanation)</span>")
        } else if !explanation.isEmpty {
            parts.append("<span class=\"why\">\(explanation)</span>")
        }
        return parts
    }

    private func insides(_ exchange: JournalEntry.Exchange) -> HTML {
        let sent =
            ["\(exchange.method) \(exchange.target)"]
            + exchange.requestHeaders.fields.map { "\($0.name): \($0.value)" }
        let answered =
            ["\(exchange.status)"] + exchange.responseHeaders.fields.map { "\($0.name): \($0.value)" }
        return """
            <div class="exchange">
            <h3>Request</h3>
            <pre class="headers">\(sent.joined(separator: "\n"))</pre>
            \(Self.body(exchange.requestBody))
            <h3>Response</h3>
            <pre class="headers">\(answered.joined(separator: "\n"))</pre>
            \(Self.body(exchange.responseBody))
            </div>
            """
    }

    private static func body(_ body: JournalEntry.Body) -> HTML {
        body.text.map { "<pre class=\"body\">\($0)</pre>" } ?? ""
    }

    private var events: HTML {
        if group.events.isEmpty { return "" }
        return """
            <ul class="events">
            \(group.events.map { event in "<li class=\"event\">\(Self.sentence(event))</li>" as HTML })
            </ul>
            """
    }

    private static func sentence(_ event: JournalEntry) -> HTML {
        let name: HTML = "<b>\(event.event ?? "")</b>"
        guard let text = event.explanation ?? event.subject else { return name }
        return "\(name) <span class=\"why\">\(text)</span>"
    }

    private static func time(_ entry: JournalEntry) -> HTML { .time(Timestamp.text(entry.at)) }

    private static func outcome(_ entry: JournalEntry, _ exchange: JournalEntry.Exchange) -> String {
        if entry.isBug { return "bug" }
        return switch exchange.status {
        case ..<300: "good"
        case 300..<400: "moved"
        case 400..<500: "refused"
        default: "broken"
        }
    }

    /// One decimal below ten, else whole.
    static func duration(_ milliseconds: Double) -> String {
        guard milliseconds.isFinite, milliseconds < 1e9 else { return "0" }
        if milliseconds >= 10 { return String(Int(milliseconds.rounded())) }
        let tenths = Int((max(0, milliseconds) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
