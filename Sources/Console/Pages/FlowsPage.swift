import HTTP
import PlatformKit

extension Console {
    /// `GET /flows?platform=&user=`: the newest flows.
    func flowList(_ world: World, _ request: Request) throws -> Page {
        let form = request.queryItems
        let (platform, user) = (form["platform"] ?? "", form["user"] ?? "")
        let choice = FlowChoice(platform: platform.isEmpty ? nil : platform, user: user.isEmpty ? nil : user)
        let page = FlowsPage(
            base: request.mount, platform: platform, user: user,
            flows: Array(flows(of: world).lazy.filter(choice.fits).prefix(FlowsPage.limit)),
            platforms: info.platforms,
            steps: FirstSteps(info.platforms, WorldAddresses(request, info), in: world.name, people: []))
        return Page(title: "Flows", tab: .flows, main: page.html)
    }

    /// `GET /flows/ID`: the flow that an entry of the journal belongs to, drawn.
    func flowPage(_ world: World, _ request: Request) throws -> Page {
        let text = request.parameter("id")
        guard let id = Int(digits: text), let flow = flow(id, of: world) else {
            throw PageMissing(
                sentence:
                    "No flow contains entry \(text.shortened). Flows are looked for in the newest \(FlowFinder.entryLimit) entries of the "
                    + "journal; it may also have been cleared, or the world was reset.")
        }
        let page = FlowPage(base: request.mount, chart: FlowChart(flow))
        return Page(title: flow.title.shortened, tab: .flows, main: page.html)
    }
}

/// What the list of flows shows.
struct FlowsPage {
    static let limit = 100

    let base: String
    /// The values of the form; an empty one filters nothing.
    let platform: String
    let user: String
    let flows: [Flow]
    let platforms: [any Platform.Type]
    let steps: FirstSteps

    var html: HTML {
        let isNothing = flows.isEmpty && !(platform.isEmpty && user.isEmpty)
        return """
            <div class="flows" data-page="flows">
            <header class="lead">
            <h1>Flows</h1>
            \(form)
            </header>
            <ol class="records" id="flows">
            \(flows.map { line($0) })
            </ol>
            <div class="empty" id="flows-empty"\(.hidden(!flows.isEmpty || isNothing))>
            <h2>No flows yet</h2>
            <p>Requests that belong together, such as those of a login, appear here as a sequence diagram. Try one:</p>
            \(steps.look)
            </div>
            <div class="empty" id="flows-nothing"\(.hidden(!isNothing))>
            <h2>No matches</h2>
            <p>No flow matches this filter. <a href="\(base)/flows">Show all flows</a></p>
            </div>
            </div>
            """
    }

    private var form: HTML {
        let platforms = HTML.options(
            [("", "All")] + self.platforms.map { ($0.name, $0.title) }, chosen: platform)
        return """
            <form class="filters" role="search" action="\(base)/flows" method="get">
            <label class="field"><span>Platform</span> <select name="platform">\(platforms)</select></label>
            <label class="field grow"><span>User</span> <input type="search" name="user" value="\(user)" \
            placeholder="User id or email address" autocomplete="off" spellcheck="false"></label>
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
        let requests = flow.requestCount == 1 ? "1 request" : "\(flow.requestCount) requests"
        return """
            <li class="record" data-id="\(flow.id)">
            \(outcome)
            <a class="subject" href="\(base)/flows/\(flow.id)">\(flow.title)</a>
            <span class="to">\(requests)</span>
            <span class="about">\(flow.platforms.map(title).joined(separator: ", "))</span>
            \(.time(Timestamp.text(flow.steps[0].entry.at)))
            </li>
            """
    }
}

/// What the page of one flow shows.
struct FlowPage {
    let base: String
    let chart: FlowChart

    var html: HTML {
        let flow = chart.flow
        let document = "\(base)\(Console.root)/flows/\(flow.id)?format="
        return """
            <article class="flow-page" data-page="flow" data-id="\(flow.id)">
            <header class="lead">
            <div>
            <p class="back"><a href="\(base)/flows">Flows</a></p>
            <h1>\(flow.title)</h1>
            </div>
            <p class="forms">As <a href="\(document)svg">SVG</a> <a href="\(document)mermaid">Mermaid</a> \
            <a href="\(document)text">text</a> <a href="\(document)json">JSON</a></p>
            </header>
            <div class="drawing" id="drawing" tabindex="0" role="region" aria-label="Sequence diagram">
            \(FlowDrawing.svg(chart, base: base))
            </div>
            <details>
            <summary>As text</summary>
            <pre class="shell" id="flow-text" data-copy>\(FlowText.text(of: flow))</pre>
            </details>
            <details>
            <summary>As Mermaid, for documentation</summary>
            <pre class="shell" id="flow-mermaid" data-copy>\(FlowMermaid.text(of: chart))</pre>
            </details>
            </article>
            """
    }
}
