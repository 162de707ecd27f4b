import HTTP
import PlatformKit

extension Console {
    /// `GET /outbox/ID?view=`: one message, as text, as HTML in a frame, or raw.
    func letter(_ world: World, _ request: Request) throws -> Page {
        let text = request.parameter("id")
        guard let id = Int(digits: text), let letter = try world.outbox.letter(id) else {
            throw PageMissing(
                sentence:
                    "The outbox has no message \(text.shortened). It may have been deleted, or its world was reset.",
                tab: .outbox
            )
        }
        let page = LetterPage(
            base: request.mount, now: Timestamp.text(world.clock.now),
            message: MessageJSON(letter, explains: true),
            raw: letter.raw,
            fixed: FixedCodesNotice(base: request.mount, codes: try world.fixedCodes),
            view: request.queryItems["view"].flatMap(LetterPage.View.init) ?? .text)
        return Page(title: page.message.shownSubject, tab: .outbox, main: page.html)
    }
}

/// What the page of one message shows.
struct LetterPage {
    enum View: String {
        case text, html, raw
    }

    let base: String
    let now: String
    let message: MessageJSON
    let raw: [UInt8]
    var fixed: FixedCodesNotice?
    let view: View

    /// Bytes of a source that are shown; the rest is in the file.
    private static let mostShown = 256 * 1024

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
        \(link)\(attachments)\(remarks)
        </dl>
        \(why)
        <nav class="tabs" aria-label="Views of this message">
        \(tabs)
        <a class="aside" href="\(base + Console.root)/outbox/\(message.id)/raw" download="message-\(message.id).eml">Download .eml</a>
        </nav>
        \(content)
        </article>
        """
    }

    private var codeLine: HTML {
        guard let code = message.typedCode else { return "" }
        let expiry = message.expiry(at: now).map { " \($0)" as HTML } ?? ""
        let mark = fixed?.mark(code, to: message.to.address) ?? .none
        return "<p class=\"code-line\">\(message.shown(code, at: now))\(expiry)</p>\(mark)"
    }

    private var link: HTML { message.shownLink.map { "<div><dt>Link</dt><dd>\($0)</dd></div>" } ?? "" }

    private var attachments: HTML {
        guard let attachments = message.attachments, !attachments.isEmpty else { return "" }
        let links: [HTML] = attachments.map { attachment in
            let address = "\(base + Console.root)/outbox/\(message.id)/attachments/\(attachment.number)"
            return """
                \(attachment.number > 1 ? "<br>" : "" as HTML)<a href="\(address)" download="\(attachment.name)">\
                \(attachment.name)</a> (\(attachment.type), \(attachment.size) bytes)
                """
        }
        return "<div><dt>Files</dt><dd>\(links)</dd></div>"
    }

    private var remarks: HTML {
        guard let remarks = message.remarks, !remarks.isEmpty else { return "" }
        return "<div><dt>Notes</dt><dd>\(remarks.joined(separator: " "))</dd></div>"
    }

    /// The table of what was decided; a finder that guesses has to say why.
    private var why: HTML {
        guard let decisions = message.explanation, !decisions.isEmpty else { return "" }
        let lines: [HTML] = decisions.prefix(50).map { decision in
            """
            <tr><td><code>\(decision.candidate)</code></td><td>\(decision.isCode ? "yes" : "no")</td><td>\(decision.score)</td>\
            <td>\(decision.part)</td><td>\(decision.reasons.joined(separator: "; "))</td><td>\(decision.context)</td></tr>
            """
        }
        return """
            <details class="why">
            <summary>\(message.code == nil ? "Why no code" : "Why this code")</summary>
            <div class="wide"><table>
            <thead><tr><th scope="col">Candidate</th><th scope="col">Code</th><th scope="col">Points</th><th scope="col">Part</th>\
            <th scope="col">Reason</th><th scope="col">Words around it</th></tr></thead>
            <tbody>
            \(lines)
            </tbody></table></div>
            </details>
            """
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
        case .raw: "<pre class=\"text raw\">\(shownSource)</pre>"
        case .html:
            """
            <iframe class="html" sandbox title="The HTML of this message" \
            src="\(base + Console.root)/outbox/\(message.id)/html"></iframe>
            """
        }
    }

    private var shownSource: String {
        let text = String(decoding: raw.prefix(Self.mostShown), as: UTF8.self).replacing("\r\n", with: "\n")
        return raw.count > Self.mostShown
            ? text + "\n… (\(raw.count) bytes in all; download the file for the rest)" : text
    }
}
