import HTTP
import PlatformKit

extension HTML {
    /// The attribute `hidden`, with its leading space, or nothing.
    static func hidden(_ isHidden: Bool) -> HTML { isHidden ? " hidden" : "" }

    /// A time of the API: whole seconds, UTC. Scripts are told the rest of it too, so that nothing expires early.
    static func time(_ text: String) -> HTML {
        let seconds = String(text.prefix(19))
        let exact = text.hasSuffix(".000Z") || text.count < 21 ? seconds + "Z" : text
        return "<time datetime=\"\(exact)\">\(seconds.replacing("T", with: " "))</time>"
    }

    /// An identifier, of which a long one is shown by its beginning and its end; the whole is its title, and what is copied.
    static func id(_ text: String) -> HTML {
        if text.utf8.count <= 20 { return "<code>\(text)</code>" }
        return """
            <code title="\(text)" data-copy="\(text)" data-whole="\(text)">\(String(text.prefix(8)))…\(String(text.suffix(4)))</code>
            """
    }

    /// What is known of something: lines of ours, and then those of its platform.
    static func facts(_ own: [(name: String, value: HTML)], _ known: [ConsoleRecord.Fact]) -> HTML {
        let lines = (own + known.map { ($0.name, value($0)) }).map { name, value in
            "<div><dt>\(name)</dt><dd>\(value)</dd></div>" as HTML
        }
        return """
            <dl class="facts">
            \(lines)
            </dl>
            """
    }

    private static func value(_ fact: ConsoleRecord.Fact) -> HTML {
        let text = fact.value
        if text.count == 24, Timestamp.parse(text) != nil { return time(text) }
        // A key, a token or the like: nobody types it.
        let isLong = text.utf8.count >= 64 && !text.contains(where: \.isWhitespace)
        return isLong ? "<pre class=\"shell\" data-copy=\"\(fact.name)\">\(text)</pre>" : "\(text)"
    }

    /// A list of states with their times.
    static func steps(_ steps: [Transaction.Step]) -> HTML {
        let lines = steps.map { step in
            "<li class=\"event\"><b>\(step.state)</b> \(.time(Timestamp.text(step.at)))</li>" as HTML
        }
        return """
            <ol class="steps">
            \(lines)
            </ol>
            """
    }

    /// The options of a `select`; a choice that is not on the list, such as one status, is added to it.
    static func options(_ known: [(value: String, title: String)], chosen: String) -> HTML {
        let isKnown = chosen.isEmpty || known.contains { $0.value == chosen }
        return (isKnown ? known : known + [(chosen, chosen)]).reduce(.none) { html, option in
            let mark: HTML = !chosen.isEmpty && option.value == chosen ? " selected" : ""
            return "\(html)<option value=\"\(option.value)\"\(mark)>\(option.title)</option>"
        }
    }
}
