import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /outbox?q=`: the newest messages, searched.
    func outbox(_ world: World, _ request: Request) throws -> Page {
        let words = request.queryItems["q"] ?? ""
        let search = try request.queryItems.search("q", isTyped: true)
        var query = OutboxStore.Query()
        query.limit = search != nil ? 5000 : OutboxPage.limit
        let page = OutboxPage(
            base: request.mount, words: words, search: search, now: Timestamp.text(world.clock.now),
            messages: try world.outbox.messages(query).map { MessageJSON($0) },
            steps: FirstSteps(
                info.platforms, WorldAddresses(request, info), in: world.name,
                people: try world.people.all()),
            fixed: FixedCodesNotice(base: request.mount, codes: try world.fixedCodes))
        return Page(title: "Outbox", tab: .outbox, main: page.html)
    }
}

/// What the list of messages shows.
struct OutboxPage {
    static let limit = 100

    let base: String
    /// What is searched for; empty for everything.
    let words: String
    /// The same, to look for.
    var search: TextSearch?
    let now: String
    /// Newest first.
    let messages: [MessageJSON]
    let steps: FirstSteps
    var fixed: FixedCodesNotice?

    var html: HTML {
        let found = found.prefix(Self.limit)
        return """
            <div class="outbox" data-page="outbox">
            <header class="lead">
            <h1>Outbox</h1>
            <form class="filters" role="search" action="\(base)/outbox" method="get">
            <label class="field grow"><span>Search</span> <input type="search" name="q" value="\(words)" maxlength="\(TextSearch.longestWords)" \
            placeholder="Recipient, subject or code" autocomplete="off" spellcheck="false"></label>
            <button type="submit">Search</button>
            </form>
            </header>
            \(fixed?.html ?? "")
            <ol class="mails" id="mails">
            \(found.map { line($0) })
            </ol>
            <div class="empty" id="mails-empty"\(.hidden(!messages.isEmpty))>
            <h2>No messages yet</h2>
            <p>Every message that a platform sends arrives here at once and goes nowhere else. Request a passcode:</p>
            \(steps.ask)
            </div>
            <div class="empty" id="mails-nothing"\(.hidden(messages.isEmpty || !found.isEmpty))>
            <h2>No matches</h2>
            <p>No message has this in its recipient, subject or code. <a href="\(base)/outbox">Show all messages</a></p>
            </div>
            </div>
            """
    }

    /// Recipient, subject, code, kind and source are searched, without regard to case.
    private var found: [MessageJSON] {
        guard let search else { return messages }
        return messages.filter { message in
            [
                message.to.address, message.to.name ?? "", message.subject, message.code ?? "", message.kind,
                message.source,
            ]
            .contains(where: search.isIn)
        }
    }

    private func line(_ message: MessageJSON) -> HTML {
        """
        <li class="mail" data-id="\(message.id)">
        <a class="subject" href="\(base)/outbox/\(message.id)">\(message.shownSubject)</a>
        <span class="to">\(message.to.shown)</span>
        <span class="about">\(message.about)</span>
        \(message.secret(at: now))
        \(.time(message.sentAt))
        </li>
        """
    }
}
