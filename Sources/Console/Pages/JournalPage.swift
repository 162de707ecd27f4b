import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /journal?platform=&status=&path=&q=&user=&before=`: the newest entries, filtered, or those before one.
    func journal(_ world: World, _ request: Request) throws -> Page {
        let form = request.queryItems
        let choice = try JournalPage.Choice(
            platform: form["platform"] ?? "", status: form["status"] ?? "", path: form["path"] ?? "",
            text: (form["q"] ?? "").trimmed, search: form.search("q", isTyped: true),
            user: (form["user"] ?? "").trimmed,
            before: form["before"].flatMap { Int(digits: $0) })
        var query = Journal.Query()
        // Events are found with their requests, so the filter is applied to the groups.
        query.limit = choice.isEmpty ? 10 * JournalPage.limit : Journal.entryLimit
        query.before = choice.before
        let page = JournalPage(
            base: request.mount, choice: choice, groups: EntryGroup.groups(of: world.journal.entries(query)),
            platforms: info.platforms,
            steps: FirstSteps(info.platforms, WorldAddresses(request, info), in: world.name, people: []))
        return Page(title: "Journal", tab: .journal, main: page.html)
    }
}

/// What the journal's page shows.
struct JournalPage {
    /// The values of the form; an empty one filters nothing.
    struct Choice {
        var platform = ""
        var status = ""
        var path = ""
        /// Part of anything that an entry says.
        var text = ""
        /// The same, to look for.
        var search: TextSearch?
        /// Whom an entry is about.
        var user = ""
        /// Only what came before this entry; nil for the newest.
        var before: Int?

        /// Whether nothing is filtered.
        var isEmpty: Bool { [platform, status, path, text, user].allSatisfy(\.isEmpty) }

        /// What has to hold of an entry; nil where nothing can, since the status is none.
        var query: Journal.Query? {
            var query = Journal.Query()
            if !platform.isEmpty { query.platform = platform }
            if !path.isEmpty { query.path = TextSearch(exactly: path) }
            query.text = search
            if !user.isEmpty { query.user = user }
            if !status.isEmpty, !query.setStatus(status) { return nil }
            return query
        }

        func fits(_ group: EntryGroup, _ query: Journal.Query) -> Bool {
            // What is said of a request, or whom it is about, may be told by its events alone.
            let isOfAll = platform.isEmpty && status.isEmpty && path.isEmpty
            return group.request.map { query.fits($0) || isOfAll && group.events.contains(where: query.fits) }
                ?? group.events.contains { query.fits($0) }
        }
    }

    /// A browser draws so many anew within a frame, as often as requests come.
    static let limit = 100
    private static let statuses = [
        ("2xx", "2xx fine"), ("3xx", "3xx redirect"), ("4xx", "4xx refused"), ("5xx", "5xx broken"),
    ]

    let base: String
    let choice: Choice
    let groups: [EntryGroup]
    let platforms: [any Platform.Type]
    let steps: FirstSteps

    var html: HTML {
        let found =
            choice.query.map { query in
                Array(groups.lazy.filter { choice.fits($0, query) }.prefix(Self.limit + 1))
            } ?? []
        let shown = found.prefix(Self.limit).map { EntryLine(group: $0, base: base).html }
        let isNothing = shown.isEmpty && !(choice.isEmpty && choice.before == nil)
        return """
            <div class="journal" data-page="journal"\(choice.before == nil ? .none : " data-before" as HTML)>
            <header class="lead">
            <h1>Journal</h1>
            <p class="hint">Every request, and why it was refused. What the platforms' own audit APIs tell: <a href="\(base)/audit">audit logs</a></p>
            \(form)
            </header>
            <ol class="entries" id="entries">
            \(Array(shown))
            </ol>
            \(turning(found.count > Self.limit ? found.last?.newestID : nil))
            <div class="empty" id="entries-empty"\(.hidden(!shown.isEmpty || isNothing))>
            <h2>No requests yet</h2>
            <p>Every request to a platform appears here, and every refusal with its reason. Try one:</p>
            \(steps.look)
            </div>
            <div class="empty" id="entries-nothing"\(.hidden(!isNothing))>
            <h2>No matches</h2>
            <p>No entry matches this filter. <a href="\(base)/journal">Show the whole journal</a></p>
            </div>
            </div>
            """
    }

    /// To older entries and back to the newest.
    ///
    /// - Parameter next: the newest entry that is not shown; nil when all are.
    private func turning(_ next: Int?) -> HTML {
        let form = [
            ("platform", choice.platform), ("status", choice.status), ("path", choice.path),
            ("q", choice.text),
            ("user", choice.user),
        ].filter { !$0.1.isEmpty }
        let address = { (form: [(String, String)]) in
            "\(base)/journal"
                + (form.isEmpty ? "" : "?" + Form.encode(form.map { (name: $0.0, value: $0.1) }))
        }
        var links: [HTML] = []
        if choice.before != nil { links.append("<a href=\"\(address(form))\">Newest entries</a>") }
        if let next {
            links.append("<a href=\"\(address(form + [("before", String(next + 1))]))\">Older entries</a>")
        }
        return "<p class=\"turning\" id=\"entries-more\"\(.hidden(links.isEmpty))>\(links)</p>"
    }

    private var form: HTML {
        let platforms = HTML.options(
            [("", "All")] + self.platforms.map { ($0.name, $0.title) }, chosen: choice.platform)
        let statuses = HTML.options([("", "All")] + Self.statuses, chosen: choice.status)
        return """
            <form class="filters" role="search" action="\(base)/journal" method="get">
            <label class="field"><span>Platform</span> <select name="platform">\(platforms)</select></label>
            <label class="field"><span>Status</span> <select name="status">\(statuses)</select></label>
            <label class="field"><span>Path</span> <input name="path" value="\(choice.path)" placeholder="Part of a path" \
            autocomplete="off" spellcheck="false"></label>
            <label class="field"><span>User</span> <input name="user" value="\(choice.user)" placeholder="User id" \
            autocomplete="off" spellcheck="false"></label>
            <label class="field grow"><span>Search</span> <input type="search" name="q" value="\(choice.text)" maxlength="\(TextSearch.longestWords)" \
            placeholder="Any text, bodies too" autocomplete="off" spellcheck="false"></label>
            <button type="submit">Filter</button>
            </form>
            """
    }
}
