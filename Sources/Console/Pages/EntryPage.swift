import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /journal/ID`: one entry, with request and response where it is a request.
    func entry(_ world: World, _ request: Request) throws -> Page {
        let text = request.parameter("id")
        guard let id = Int(digits: text), let entry = world.journal.entry(id) else {
            throw PageMissing(
                sentence:
                    "The journal has no entry \(text.shortened). It keeps the newest \(Journal.entryLimit) entries; it "
                    + "may also have been cleared, or its world was reset.", tab: .journal)
        }
        let page = EntryPage(
            base: request.mount, origin: request.origin, entry: entry,
            events: entry.exchange == nil ? [] : events(beside: entry, in: world), flow: flow(id, of: world))
        return Page(title: page.title, tab: .journal, main: page.html)
    }

    /// Oldest first.
    private func events(beside entry: JournalEntry, in world: World) -> [JournalEntry] {
        guard let correlation = entry.correlation else { return [] }
        var query = Journal.Query()
        query.kind = .event
        query.correlation = correlation
        return world.journal.entries(query).reversed()
    }
}

/// What the page of one entry shows.
struct EntryPage {
    let base: String
    /// Of the page; a request that names no host is sent there again.
    let origin: String
    let entry: JournalEntry
    /// Those of the same request, oldest first.
    let events: [JournalEntry]
    /// What it is part of.
    var flow: Flow?

    var title: String {
        entry.exchange.map { "\($0.method) \($0.target)" } ?? entry.event ?? "Entry \(entry.id)"
    }

    var html: HTML {
        """
        <article class="entry-page" data-page="entry" data-id="\(entry.id)">
        <header class="lead">
        <p class="back"><a href="\(base)/journal">Journal</a></p>
        <h1 title="\(title)">\(EntryLine.short(title))</h1>
        </header>
        \(sentence)
        \(.facts(facts, []))
        \(entry.exchange.map { history + exchange($0) } ?? [])
        </article>
        """
    }

    /// What one came for: why.
    private var sentence: HTML {
        guard let explanation = entry.explanation, !explanation.isEmpty || entry.isBug else { return "" }
        let mark: HTML = entry.isBug ? "<strong>A bug in Understudy.</strong> " : ""
        let outcome = entry.exchange.map { EntryLine.outcome(entry, $0) } ?? "told"
        return "<p class=\"sentence \(outcome)\">\(mark)\(explanation)</p>"
    }

    private var facts: [(name: String, value: HTML)] {
        var facts: [(name: String, value: HTML)] = [("At", EntryLine.time(entry))]
        if let exchange = entry.exchange {
            let outcome = EntryLine.outcome(entry, exchange)
            facts.append(
                ("Status", "<span class=\"outcome \(outcome)\">\(EntryLine.status(exchange))</span>"))
            facts.append(("Time taken", "\(EntryLine.duration(exchange.milliseconds)) ms"))
        }
        if let flow {
            facts.append(("Flow", "<a href=\"\(base)/flows/\(flow.id)\">\(flow.title)</a>"))
        }
        if let platform = entry.platform { facts.append(("Platform", "\(platform)")) }
        if let upstream = entry.upstream {
            facts.append(("Upstream", "<strong class=\"caution\">\(upstream)</strong>, not emulated"))
        }
        if let subject = entry.subject { facts.append(("About", "\(subject)")) }
        if let id = entry.correlation { facts.append(("Request id", .id(id))) }
        return facts
    }

    private var history: [HTML] {
        if events.isEmpty { return [] }
        return [
            """
            <h2>Events</h2>
            <ul class="events">
            \(events.map { event in "<li class=\"event\">\(EntryLine.sentence(event))</li>" as HTML })
            </ul>
            """
        ]
    }

    private func exchange(_ exchange: JournalEntry.Exchange) -> [HTML] {
        let fields = { (headers: Headers) in headers.fields.map { "\($0.name): \($0.value)" } }
        let asked = ["\(exchange.method) \(exchange.target)"] + fields(exchange.requestHeaders)
        let answered = ["\(EntryLine.status(exchange))"] + fields(exchange.responseHeaders)
        return [
            """
            <div class="exchange">
            <h2>Request</h2>
            <pre class="headers" tabindex="0">\(asked.joined(separator: "\n"))</pre>
            \(body(exchange.requestBody))
            <h2>Response</h2>
            <pre class="headers" tabindex="0">\(answered.joined(separator: "\n"))</pre>
            \(body(exchange.responseBody))
            \(again(exchange))
            </div>
            """
        ]
    }

    private func body(_ body: JournalEntry.Body) -> HTML {
        guard let text = body.text else { return "" }
        if body.isWhole, let markup = JSONMarkup(text) { return "<div class=\"body\">\(markup.html)</div>" }
        return "<pre class=\"body\" tabindex=\"0\">\(text)</pre>"
    }

    private func again(_ exchange: JournalEntry.Exchange) -> HTML {
        guard let command = ShellCommand(exchange, origin: origin) else { return "" }
        return """
            <h2>Replay as curl</h2>
            <pre class="shell" data-copy>\(command.text)</pre>
            """
    }
}
