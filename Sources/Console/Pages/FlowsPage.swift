import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /flows?platform=&user=&q=&singles=`: the newest flows.
    func flowList(_ world: World, _ request: Request) throws -> Page {
        let form = request.queryItems
        let choice = FlowsPage.Choice(
            platform: form["platform"] ?? "", user: form["user"] ?? "",
            text: (form["q"] ?? "").trimmed, search: try form.search("q", isTyped: true),
            hasSingles: form["singles"] != nil)
        let found = flows(of: world).filter(choice.fits)
        let shown = choice.hasSingles ? found : found.filter { !$0.isSingle }
        let page = FlowsPage(
            base: request.mount, choice: choice, flows: Array(shown.prefix(FlowsPage.limit)),
            hidden: found.count - shown.count, platforms: info.platforms,
            steps: FirstSteps(info.platforms, WorldAddresses(request, info), in: world.name, people: []))
        return Page(title: "Flows", tab: .flows, main: page.html)
    }

    /// `GET /flows/ID?beside=`: the flow that an entry of the journal belongs to, drawn, also beside another one: that of an entry, `12`, or of
    /// another world, `blue/12`.
    func flowPage(_ world: World, _ request: Request) throws -> Page {
        let text = request.parameter("id")
        let all = flows(of: world)
        guard let id = Int(digits: text), let flow = all.first(where: { $0.entryIDs.contains(id) }) else {
            throw PageMissing(
                sentence:
                    "No flow contains entry \(text.shortened). Flows are looked for in the newest \(FlowFinder.entryLimit) entries of the "
                    + "journal; it may also have been cleared, or the world was reset.",
                tab: .flows)
        }
        let others = all.filter { $0.id != flow.id && !$0.isSingle }
        let beside = request.queryItems["beside"] ?? ""
        let page = FlowPage(
            base: request.mount, chart: FlowChart(flow), others: others,
            beside: try self.beside(beside, others, request))
        return Page(title: flow.title.shortened, tab: .flows, main: page.html)
    }
}

extension Console {
    /// Nil where there is no such flow, or no such world any more.
    private func beside(_ text: String, _ others: [Flow], _ request: Request) throws -> FlowPage.Beside? {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        guard let id = parts.last.flatMap({ Int(digits: $0) }) else { return nil }
        guard parts.count == 2 else {
            return others.first { $0.id == id }.map {
                FlowPage.Beside(name: text, base: request.mount, chart: FlowChart($0))
            }
        }
        guard worlds.names.contains(parts[0]), let world = try worlds.world(parts[0]) else { return nil }
        return flows(of: world).first { $0.id == id }.map {
            FlowPage.Beside(name: text, base: request.mount(of: world.name), chart: FlowChart($0))
        }
    }
}

/// What the list of flows shows.
struct FlowsPage {
    static let limit = 100

    /// The values of the form; an empty one filters nothing.
    struct Choice {
        var platform = ""
        var user = ""
        /// Part of a title, or of anything that a step says, bodies too.
        var text = ""
        /// The same, to look for.
        var search: TextSearch?
        /// Whether requests to which nothing else belongs are flows, too.
        var hasSingles = false

        var isEmpty: Bool { [platform, user, text].allSatisfy(\.isEmpty) }

        func fits(_ flow: Flow) -> Bool {
            let rough = FlowChoice(
                platform: platform.isEmpty ? nil : platform, user: user.isEmpty ? nil : user)
            guard rough.fits(flow) else { return false }
            guard let search, !search.isIn(flow.title) else { return true }
            var query = Journal.Query()
            query.text = search
            return flow.steps.contains { step in ([step.entry] + step.events).contains(where: query.fits) }
        }
    }

    let base: String
    let choice: Choice
    let flows: [Flow]
    /// How many single requests fit and are not shown.
    let hidden: Int
    let platforms: [any Platform.Type]
    let steps: FirstSteps

    var html: HTML {
        let isNothing = flows.isEmpty && !choice.isEmpty
        return """
            <div class="flows" data-page="flows">
            <header class="lead">
            <h1>Flows</h1>
            \(form)
            </header>
            <ol class="records" id="flows">
            \(flows.map { line($0) })
            </ol>
            <p class="hint" id="flows-hidden"\(.hidden(hidden == 0))>\(hiddenWords). <a href="\(base)/flows?\(query)">Show all</a></p>
            <div class="empty" id="flows-empty"\(.hidden(!flows.isEmpty || isNothing))>
            <h2>\(hidden == 0 ? "No flows yet" : "Only single requests")</h2>
            <p>Requests that belong together, such as those of a login, appear here as a sequence diagram; they are looked for in the newest \
            \(FlowFinder.entryLimit) entries of the journal. Try one:</p>
            \(steps.look)
            </div>
            <div class="empty" id="flows-nothing"\(.hidden(!isNothing))>
            <h2>No matches</h2>
            <p>No flow matches this filter. <a href="\(base)/flows">Show all flows</a></p>
            </div>
            </div>
            """
    }

    private var hiddenWords: String {
        hidden == 1
            ? "1 request belongs to no other" : "\(hidden) requests belong to no other"
    }

    /// The same choice, with single requests.
    private var query: String {
        let items = [("platform", choice.platform), ("user", choice.user), ("q", choice.text)]
        return Form.encode(
            items.filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) } + [
                (name: "singles", value: "on")
            ])
    }

    private var form: HTML {
        let platforms = HTML.options(
            [("", "All")] + self.platforms.map { ($0.name, $0.title) }, chosen: choice.platform)
        let singles: HTML = choice.hasSingles ? " checked" : ""
        return """
            <form class="filters" role="search" action="\(base)/flows" method="get">
            <label class="field"><span>Platform</span> <select name="platform">\(platforms)</select></label>
            <label class="field"><span>User</span> <input name="user" value="\(choice.user)" \
            placeholder="User id or mail" autocomplete="off" spellcheck="false"></label>
            <label class="field grow"><span>Search</span> <input type="search" name="q" value="\(choice.text)" maxlength="\(TextSearch.longestWords)" \
            placeholder="Any text, bodies too" autocomplete="off" spellcheck="false"></label>
            <label class="check"><input type="checkbox" name="singles"\(singles)> Single requests</label>
            <button type="submit">Filter</button>
            </form>
            """
    }

    private func line(_ flow: Flow) -> HTML {
        let title = { (name: String) in self.platforms.first { $0.name == name }?.title ?? name }
        let refused = flow.refusedCount
        let outcome: HTML =
            refused == 0
            ? "<span class=\"outcome good\">all fine</span>"
            : "<span class=\"outcome refused\">\(refused) refused</span>"
        return """
            <li class="record" data-id="\(flow.id)">
            \(outcome)
            <a class="subject" href="\(base)/flows/\(flow.id)">\(flow.title)</a>
            <span class="to">\(flow.extent)</span>
            <span class="about">\(flow.platforms.map(title).joined(separator: ", "))</span>
            \(.time(Timestamp.text(flow.steps[0].entry.at)))
            </li>
            """
    }
}
