import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /worlds?q=&page=`: the worlds that were used last, filtered by their names.
    func worldsPage(_ world: World, _ request: Request) throws -> Page {
        try worldsPage(world, request, refused: nil)
    }

    /// `POST /worlds` with `action=create`, `copy`, `reset` or `delete`, as the forms of the pages send it. What cannot be undone is asked back
    /// first, until `sure=yes` comes too.
    ///
    /// - Response: `303` to the page `page` of the world that is left to look at; the list with the reason when it is refused.
    func changeWorldsFromForm(_ world: World, _ request: Request) throws -> Response {
        let form = request.form
        let (name, section) = (form["name"] ?? "", Self.section(of: form["page"] ?? "/"))
        if let question = worldQuestion(form, request), form["sure"] != "yes" {
            return render(question.page, request, in: world)
        }
        do {
            switch form["action"] {
            case "create":
                let made = try worlds.create(worldOrder(form))
                return Self.seeOther(request.mount(of: made) + section)
            case "copy": return Self.seeOther(request.mount(of: try copyWorld(name)) + section)
            case "reset": try resetWorld(name)
            case "delete":
                try worlds.delete(name)
                if name == world.name {
                    return Self.seeOther(request.mount(of: Worlds.defaultName) + section)
                }
            default: throw ControlError.refused("There is no such button.")
            }
            return Self.seeOther(request.mount + section)
        } catch {
            let (status, sentence) = try Self.worldRefusal(error)
            var page = try worldsPage(world, request, refused: (sentence, form))
            page.status = status
            return render(page, request, in: world)
        }
    }

    /// Status and sentence of what was wrong with a form about worlds, clocks and snapshots.
    ///
    /// - Throws: an error that is none of that.
    static func worldRefusal(_ error: any Error) throws -> (Status, String) {
        switch error {
        case let error as ControlError: (error.status, error.detail)
        case let error as WorldError: (status(of: error), error.explanation)
        case let error as ClockOutOfRange: (.badRequest, error.explanation)
        case let error as FixtureError:
            (.unprocessableContent, "The fixtures cannot be loaded: \(error).")
        default: throw error
        }
    }

    private func worldQuestion(_ form: Form, _ request: Request) -> Question? {
        guard let name = form["name"], let action = form["action"],
            let (title, sentence) = [
                "reset": (
                    "Reset world",
                    "The world \(name) goes back to its initial state. Its users, messages and journal will be lost."
                ),
                "delete": ("Delete world", "The world \(name) and everything in it will be deleted."),
            ][action]
        else { return nil }
        return Question(
            title: title, sentence: "\(sentence)", path: request.mount + "/worlds", form: form,
            back: request.mount + Self.section(of: form["page"] ?? "/"))
    }

    /// A world that goes on from where another one is now.
    ///
    /// - Returns: its name.
    private func copyWorld(_ name: String) throws -> String {
        let snapshot = try worlds.takeSnapshot(nil, of: name)
        if let original = try worlds.world(name) { noteSnapshot(snapshot, in: original) }
        var order = WorldOrder()
        order.origin = WorldOrder.Origin(world: name, snapshot: snapshot.name)
        return try worlds.create(order)
    }

    private func worldOrder(_ form: Form) throws -> WorldOrder {
        func typed(_ name: String) -> String? {
            form[name].map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
        }
        var order = WorldOrder()
        order.name = typed("name")
        if let fixtures = typed("fixtures") {
            order.fixtures = try FixtureSet(text: Array(fixtures.utf8), file: "fixtures")
        }
        if let from = typed("from") {
            let parts = from.split(separator: "/").map(String.init)
            guard parts.count == 2, order.fixtures == nil else {
                throw ControlError.bodyMalformed(
                    "A world begins with fixtures or with a snapshot, not both.")
            }
            order.origin = WorldOrder.Origin(world: parts[0], snapshot: parts[1])
        }
        return order
    }

    private func worldsPage(
        _ world: World, _ request: Request, refused: (sentence: String, form: Form)?
    ) throws -> Page {
        let part = request.queryItems["q"] ?? ""
        let page = WorldsPage(
            base: request.mount, world: world.name, part: part,
            section: Self.section(of: request.queryItems["page"] ?? "/"),
            found: worlds.latest(WorldsPage.limit, named: part),
            snapshots: try worlds.snapshots(of: world.name).snapshots.map(\.name), refused: refused,
            now: worlds.realNow, mount: { request.mount(of: $0) })
        return Page(title: "Worlds", tab: .worlds, hasForms: true, main: page.html)
    }
}

extension Request {
    /// What stands before the paths of another world.
    func mount(of world: String) -> String { prefix + (world == Worlds.defaultName ? "" : "/w/" + world) }
}

/// The list of worlds.
struct WorldsPage {
    static let limit = 100

    let base: String
    /// The one that the page is in.
    let world: String
    /// Of the names that are shown; empty for all.
    let part: String
    let section: String
    /// Those that were used last first.
    let found: (worlds: [WorldSummary], total: Int)
    let snapshots: [String]
    let refused: (sentence: String, form: Form)?
    /// The real time.
    let now: Date
    let mount: (String) -> String

    var html: HTML {
        """
        <div class="worlds" data-page="worlds">
        <header class="lead">
        <h1>Worlds</h1>
        <p>Each world has its own users, devices, keys, mail, journal and clock, so that tests in different worlds do not interfere.</p>
        <form class="filters" role="search" aria-label="Filter" action="\(base)/worlds" method="get">
        <label class="field grow"><span>Name</span> <input type="search" name="q" value="\(part)" placeholder="Part of a name" \
        autocomplete="off" spellcheck="false"></label>
        <button type="submit">Filter</button>
        </form>
        </header>
        \([refusal, maker].filter { $0 != HTML.none })
        <ol class="records" id="worlds">
        \(found.worlds.map(line))
        </ol>
        <p class="hint" id="worlds-count">\(count)</p>
        </div>
        """
    }

    private var count: String {
        found.total > found.worlds.count
            ? "The \(found.worlds.count) most recently used of \(found.total) worlds."
            : found.total == 1 ? "1 world." : "\(found.total) worlds."
    }

    private var refusal: HTML {
        refused.map { "<p class=\"refusal\" role=\"alert\">\($0.sentence)</p>" } ?? .none
    }

    private var maker: HTML {
        let form = NewWorldForm(
            base: base, world: world, snapshots: snapshots, section: section, isWhole: true,
            typed: refused?.form)
        return """
            <ul class="makers">
            <li class="maker">
            <details\(refused == nil ? .none : " open")>
            <summary>Create a world</summary>
            \(form.html)
            </details>
            </li>
            </ul>
            """
    }

    private func line(_ summary: WorldSummary) -> HTML {
        let name = summary.name
        let shift = summary.live.flatMap { ClockWords.shift($0.clock.current) }
        let state: HTML =
            name == world
            ? "<span class=\"outcome good\">current</span>"
            : "<span class=\"outcome \(summary.isLive ? "moved" : "over")\">\(summary.isLive ? "in use" : "unused")</span>"
        return """
            <li class="record world-row" data-id="\(name)">
            \(state)
            <a class="subject" href="\(mount(name) + section)">\(name)</a>
            <span class="to">\(size(summary)), \(shift.map { "clock \($0)" } ?? "real time")</span>
            <span class="about">created \(ago(summary.createdAt)), used \(ago(summary.lastUsedAt))\(client(summary))</span>
            \(WorldForms(base: base, section: "/worlds").menu(name))
            </li>
            """
    }

    /// By the real clock: those of the worlds differ.
    private func ago(_ time: Date) -> String {
        let seconds = now.seconds(since: time)
        return seconds < 2 ? "just now" : "\(ClockWords.span(seconds, units: 1)) ago"
    }

    /// What it holds beside what it shares with the world's beginning.
    private func size(_ summary: WorldSummary) -> String {
        // A file that cannot be read is told where the world is used.
        guard let world = summary.live, let bytes = try? world.size else { return "not opened yet" }
        if bytes == 0 { return "unchanged" }
        return bytes < 1_000_000 ? "\((bytes + 999) / 1000) kB" : "\((bytes + 500_000) / 1_000_000) MB"
    }

    /// Who asked a platform in it last.
    private func client(_ summary: WorldSummary) -> HTML {
        var query = Journal.Query()
        (query.kind, query.limit) = (.request, 1)
        guard let entry = summary.live?.journal.entries(query).first,
            let agent = entry.exchange?.requestHeaders["User-Agent"]
        else { return .none }
        return ", last by \(Self.name(ofAgent: agent))"
    }

    /// `curl/8.5.0` of what a program says of itself; browsers all say much the same.
    private static func name(ofAgent agent: String) -> String {
        if agent.hasPrefix("Mozilla/") { return "a browser" }
        return String(agent.prefix { $0 != " " }.prefix(40))
    }
}
