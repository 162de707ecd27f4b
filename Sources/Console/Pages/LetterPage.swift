import HTTP
import PlatformKit

extension Console {
    /// `GET /outbox/ID?view=`: one message, as text, as HTML in a frame, or raw.
    func letter(_ world: World, _ request: Request) throws -> Page {
        let text = request.parameter("id")
        guard let id = Int(digits: text), let sent = try world.outbox.message(id) else {
            throw PageMissing(
                sentence:
                    "The outbox has no message \(text.shortened). It may have been deleted, or its world was reset."
            )
        }
        let letter = LetterPage(
            base: request.mount, now: Timestamp.text(world.clock.now), message: MessageShape(sent),
            raw: sent.raw,
            view: request.queryItems["view"].flatMap(LetterPage.View.init) ?? .text)
        return Page(title: letter.message.shownSubject, tab: .outbox, main: letter.html)
    }
}

/// What the page of one message shows.
struct LetterPage {
    enum View: String {
        case text, html, raw
    }

    let base: String
    let now: String
    let message: MessageShape
    let raw: String
    let view: View

    var html: HTML {
        """
        <article class="letter" data-page="mail" data-id="\(message.id)">
        <header class="lead">
        <p class="back"><a href="\(base)/outbox">Outbox</a></p>
        <h1>\(message.shownSubject)</h1>
        </header>
        \(codeLine)
        <dl class="facts">
        <div><dt>From</dt><dd>\(message.from.shown)</dd></div>
        <div><dt>To</dt><dd>\(message.to.shown)</dd></div>
        <div><dt>Sent</dt><dd>\(.time(message.sentAt))</dd></div>
        <div><dt>Kind</dt><dd>\(message.about)</dd></div>
        \(link)
        </dl>
        <nav class="tabs" aria-label="Views of this message">
        \(tabs)
        <a class="aside" href="\(base + Console.root)/outbox/\(message.id)/raw" download="message-\(message.id).eml">Download .eml</a>
        </nav>
        \(content)
        </article>
        """
    }

    private var codeLine: HTML {
        guard let code = message.code else { return "" }
        let expiry = message.expiry(at: now).map { " \($0)" as HTML } ?? ""
        return "<p class=\"code-line\"><code class=\"code\" data-copy>\(code)</code>\(expiry)</p>"
    }

    /// A link to follow only where it leads to the web: nothing else is run by a click.
    private var link: HTML {
        guard let link = message.link else { return "" }
        let isWeb = ["http://", "https://"].contains { link.lowercased().hasPrefix($0) }
        let shown: HTML =
            isWeb
            ? "<a href=\"\(link)\" rel=\"noreferrer noopener\" data-copy>\(link)</a>"
            : "<code data-copy>\(link)</code>"
        return "<div><dt>Link</dt><dd>\(shown)</dd></div>"
    }

    private var tabs: [HTML] {
        let views: [(View, String, String)] = [
            (.text, "Text", ""), (.html, "HTML", "?view=html"), (.raw, "Raw", "?view=raw"),
        ]
        return views.filter { $0.0 != .html || message.html }.map { view, title, query in
            let mark: HTML = view == shownView ? " aria-current=\"page\"" : ""
            return "<a href=\"\(base)/outbox/\(message.id)\(query)\"\(mark)>\(title)</a>"
        }
    }

    /// A message without HTML is shown as text.
    private var shownView: View { view == .html && !message.html ? .text : view }

    private var content: HTML {
        switch shownView {
        case .text: "<pre class=\"text\">\(message.text)</pre>"
        case .raw: "<pre class=\"text raw\">\(raw.replacing("\r\n", with: "\n"))</pre>"
        case .html:
            """
            <iframe class="html" sandbox title="The HTML of this message" \
            src="\(base + Console.root)/outbox/\(message.id)/html"></iframe>
            """
        }
    }
}
