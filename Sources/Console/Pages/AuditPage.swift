import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /audit?platform=&user=&event=`: the audit logs of all platforms, filtered.
    func auditPage(_ world: World, _ request: Request) throws -> Page {
        let form = request.queryItems
        func text(_ name: String) -> String { (form[name] ?? "").trimmed }
        let choice = AuditPage.Choice(platform: text("platform"), user: text("user"), event: text("event"))
        var query = AuditQuery()
        query.platform = choice.platform.isEmpty ? nil : choice.platform
        query.user = choice.user.isEmpty ? nil : choice.user
        query.event = try form.search("event", isTyped: true)
        query.limit = AuditPage.limit
        let page = AuditPage(
            base: request.mount, choice: choice, lines: try audit(query, in: world),
            platforms: info.platforms.filter { $0 is any KeepsAudit.Type })
        return Page(title: "Audit logs", tab: .audit, main: page.html)
    }
}

/// What the platforms' audit logs tell, each in its own words.
struct AuditPage {
    /// The values of the form; an empty one filters nothing.
    struct Choice {
        let platform: String
        let user: String
        let event: String

        var isEmpty: Bool { platform.isEmpty && user.isEmpty && event.isEmpty }
    }

    static let limit = 200

    let base: String
    let choice: Choice
    /// Newest first.
    let lines: [AuditLine]
    /// Those that keep one.
    let platforms: [any Platform.Type]

    var html: HTML {
        """
        <div class="audit" data-page="audit">
        <header class="lead">
        <h1>Audit logs</h1>
        <p>What the real services tell their operators, as each platform's own audit API gives it. What this program saw of each request is in \
        the <a href="\(base)/journal">journal</a>.</p>
        \(form)
        </header>
        <ol class="records" id="audit">
        \(lines.map(line))
        </ol>
        <div class="empty" id="audit-empty"\(.hidden(!lines.isEmpty))>
        \(empty)
        </div>
        </div>
        """
    }

    private var empty: HTML {
        if choice.isEmpty {
            return """
                <h2>No entries yet</h2>
                <p>Logins, registrations and refused attempts appear here as soon as a platform logs one.</p>
                """
        }
        return """
            <h2>No matches</h2>
            <p>No entry matches this filter. <a href="\(base)/audit">Show all entries</a></p>
            """
    }

    private var form: HTML {
        let choices = HTML.options(
            [("", "All")] + platforms.map { ($0.name, $0.title) }, chosen: choice.platform)
        return """
            <form class="filters" role="search" action="\(base)/audit" method="get">
            <label class="field"><span>Platform</span> <select name="platform">\(choices)</select></label>
            <label class="field"><span>User</span> <input name="user" value="\(choice.user)" placeholder="Name in the log" \
            autocomplete="off" spellcheck="false"></label>
            <label class="field grow"><span>Event</span> <input type="search" name="event" value="\(choice.event)" maxlength="\(TextSearch.longestWords)" \
            placeholder="Part of its name" autocomplete="off" spellcheck="false"></label>
            <button type="submit">Filter</button>
            </form>
            """
    }

    private func line(_ line: AuditLine) -> HTML {
        let platform = platforms.first { $0.name == line.platform }?.title ?? line.platform
        let about = [platform, line.client, line.address].compactMap(\.self).joined(separator: " · ")
        let facts = line.facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return """
            <li class="record">
            <b class="subject">\(line.event)</b>
            <span class="to">\(line.user ?? "")</span>
            <span class="about">\(about)\(facts.isEmpty ? "" : " · " + facts)</span>
            \(.time(Timestamp.text(line.at)))
            </li>
            """
    }
}
