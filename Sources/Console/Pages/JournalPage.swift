import HTTP
import PlatformKit

extension Console {
    /// `GET /journal?platform=&status=&path=&q=&user=`: the newest entries, filtered.
    func journal(_ world: World, _ request: Request) throws -> Page {
        let form = request.queryItems
        let choice = JournalPage.Choice(
            platform: form["platform"] ?? "", status: form["status"] ?? "", path: form["path"] ?? "",
            text: OutboxPage.trimmed(form["q"] ?? ""), user: OutboxPage.trimmed(form["user"] ?? ""))
        var query = Journal.Query()
        // Events are found with their requests, so the filter is applied to the groups.
        query.limit = choice.isEmpty ? 500 : Journal.entryLimit
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
        /// Whom an entry is about.
        var user = ""

        var isEmpty: Bool { [platform, status, path, text, user].allSatisfy(\.isEmpty) }

        func fits(_ group: EntryGroup) -> Bool {
            var query = Journal.Query()
            if !platform.isEmpty { query.platform = platform }
            if !path.isEmpty { query.path = path }
            if !text.isEmpty { query.text = text }
            if !user.isEmpty { query.user = user }
            if !status.isEmpty, !query.setStatus(status) { return false }
            // What is said of a request, or whom it is about, may be told by its events alone.
            let isOfAll = platform.isEmpty && status.isEmpty && path.isEmpty
            return group.request.map { query.fits($0) || isOfAll && group.events.contains(where: query.fits) }
                ?? group.events.contains { query.fits($0) }
        }
    }

    private static let limit = 500
    private static let statuses = [
        ("2xx", "2xx fine"), ("3xx", "3xx redirect"), ("4xx", "4xx refused"), ("5xx", "5xx broken"),
    ]

    let base: String
    let choice: Choice
    let groups: [EntryGroup]
    let platforms: [PlatformCard]
    let steps: FirstSteps

    var html: HTML {
        let shown = groups.lazy.filter { choice.fits($0) }.prefix(Self.limit).map {
            EntryLine(group: $0, base: base).html
        }
        let isNothing = shown.isEmpty && !choice.isEmpty
        return """
            <div class="journal" data-page="journal">
            <header class="lead">
            <h1>Journal</h1>
            \(form)
            </header>
            <ol class="entries" id="entries">
            \(Array(shown))
            </ol>
            <div class="empty" id="entries-empty"\(.hidden(!shown.isEmpty || isNothing))>
            <h2>No requests yet</h2>
            <p>Every request to a platform appears here, and every refusal with its reason. Try one:</p>
            \(steps.look)
            </div>
            <div class="empty" id="entries-nothing"\(.hidden(!isNothing))>
            <h2>Nothing matches</h2>
            <p>No entry fits this filter. <a href="\(base)/journal">Show the whole journal</a></p>
            </div>
            </div>
            """
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
            <label class="field grow"><span>Search</span> <input type="search" name="q" value="\(choice.text)" \
            placeholder="Any text, bodies too" autocomplete="off" spellcheck="false"></label>
            <button type="submit">Filter</button>
            </form>
            """
    }
}
