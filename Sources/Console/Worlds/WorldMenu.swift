import HTTP
import PlatformKit

extension Console {
    /// Where a page of the console is in another world: the same list, or home for what only this world has.
    static func section(of path: String) -> String {
        let first = "/" + (path.split(separator: "/").first ?? "")
        return pages.contains { $0.path == first } ? first : "/"
    }

    /// What the header shows of the world: a menu, and a badge while its clock is not the real one.
    ///
    /// Who may not see the page does not learn which worlds there are.
    func worldMenu(_ world: World?, _ request: Request) -> HTML {
        guard let world, access.token.allowsPage(request) else {
            return """
                <span class="world"><span class="quiet">World </span>\(world?.name ?? Worlds.defaultName)\(instance)</span>
                """
        }
        // The page of worlds is about others: what is looked for there is listed here, and leads where the reader came from.
        let isOfWorlds = request.path == "/worlds"
        let page = isOfWorlds ? request.queryItems["page"] ?? "/" : request.path
        let menu = WorldMenu(
            base: request.mount, prefix: request.prefix, world: world.name, instance: instance,
            section: Self.section(of: page),
            found: worlds.latest(
                WorldMenu.limit, named: isOfWorlds ? request.queryItems["q"] ?? "" : ""),
            snapshots: (try? worlds.snapshots(of: world.name).snapshots.map(\.name)) ?? [])
        let badge = ShiftBadge(
            base: request.mount, section: Self.section(of: request.path),
            shift: ClockWords.shift(world.clock.current))
        return "\(menu.html)\n\(badge.html)"
    }

    private var instance: String { info.instance.map { " on \($0)" } ?? "" }
}

/// The menu in the header: other worlds, this one, a new one.
struct WorldMenu {
    static let limit = 12

    let base: String
    /// What stands before the paths of all worlds.
    let prefix: String
    let world: String
    let instance: String
    /// Where the links to other worlds lead.
    let section: String
    let found: (worlds: [WorldSummary], total: Int)
    /// Names of this world's.
    let snapshots: [String]

    var html: HTML {
        """
        <details class="world" id="world-menu">
        <summary><span class="quiet">World </span>\(world + instance)</summary>
        <div class="world-sheet">
        <form class="filters" role="search" aria-label="Find a world" action="\(base)/worlds" method="get">
        <input type="hidden" name="page" value="\(section)">
        <label class="field grow"><span>Find a world</span> <input name="q" placeholder="Part of its name" \
        autocomplete="off" spellcheck="false"></label>
        </form>
        <ul class="others" id="others" aria-label="Worlds">
        \(found.worlds.map { link($0.name) })
        </ul>
        <p class="more"><a href="\(base)/worlds">\(found.total == 1 ? "Manage worlds" : "All \(found.total) worlds")</a></p>
        \(NewWorldForm(base: base, world: world, snapshots: snapshots, section: section).html)
        <p class="more">This world: <a href="\(base)/time">Time</a> <a href="\(base)/snapshots">Snapshots</a></p>
        \(WorldForms(base: base, section: section).html(world))
        </div>
        </details>
        """
    }

    private func link(_ name: String) -> HTML {
        let mark: HTML = name == world ? " aria-current=\"true\"" : .none
        let mount = prefix + (name == Worlds.defaultName ? "" : "/w/" + name)
        return "<li><a href=\"\(mount + section)\"\(mark)>\(name)</a></li>"
    }
}

/// Copy, reset and delete, for the menu and the list of worlds.
struct WorldForms {
    let base: String
    /// Where the browser goes then.
    let section: String

    /// One button beside the other.
    func html(_ name: String) -> HTML {
        """
        <form class="world-acts" action="\(base)/worlds" method="post">
        \(fields(name))
        \(buttons(name))
        </form>
        """
    }

    /// One button below the other, behind a button that shows them.
    func menu(_ name: String) -> HTML {
        """
        <details class="menu drop">
        <summary aria-label="Actions of \(name)">Actions</summary>
        <form action="\(base)/worlds" method="post">
        \(fields(name))
        \(buttons(name))
        </form>
        </details>
        """
    }

    private func fields(_ name: String) -> HTML {
        """
        <input type="hidden" name="name" value="\(name)"><input type="hidden" name="page" value="\(section)">
        """
    }

    private func buttons(_ name: String) -> [HTML] {
        let delete: HTML = """
            <button class="grave" name="action" value="delete" aria-label="Delete \(name)" \
            data-ask="Delete the world \(name) and everything in it?">Delete</button>
            """
        return [
            """
            <button name="action" value="copy" aria-label="Make a world like \(name)">Make a world like it</button>
            """,
            """
            <button class="grave" name="action" value="reset" aria-label="Reset \(name)" \
            data-ask="Reset the world \(name)? Its users, messages and journal will be lost.">Reset</button>
            """,
        ] + (name == Worlds.defaultName ? [] : [delete])
    }
}

/// Makes a world.
struct NewWorldForm {
    let base: String
    let world: String
    /// Names of this world's.
    let snapshots: [String]
    let section: String
    /// Whether it takes fixtures too.
    var isWhole = false
    var typed: Form?

    var html: HTML {
        let origins =
            [("", "The server's fixtures")]
            + snapshots.map { ("\(world)/\($0)", "Snapshot \($0) of \(world)") }
        let fixtures: HTML = """
            <label class="field long"><span>Its own fixtures (JSON, optional)</span> \
            <textarea name="fixtures" rows="3" autocomplete="off" spellcheck="false">
            \(typed?["fixtures"] ?? "")</textarea></label>
            """
        return """
            <form class="inputs" action="\(base)/worlds" method="post" aria-label="\(isWhole ? "Create a world" : "New world")">
            <input type="hidden" name="page" value="\(section)">
            <label class="field"><span>Name (optional)</span> <input name="name" value="\(typed?["name"] ?? "")" \
            placeholder="a-z, 0-9 and -" autocomplete="off" spellcheck="false"></label>
            <label class="field"><span>Begins with</span> <select name="from">\(.options(origins, chosen: typed?["from"] ?? ""))</select></label>
            \(isWhole ? fixtures : .none)
            <button class="primary" name="action" value="create">Create world</button>
            </form>
            """
    }
}

/// Says on every page that the clock does not show the real time, with the way back to that. The script shows, hides and changes it.
struct ShiftBadge {
    let base: String
    let section: String
    /// Nil for the real time.
    let shift: String?

    var html: HTML {
        """
        <form class="shift" id="shift" action="\(base)/time" method="post"\(.hidden(shift == nil))>
        <a href="\(base)/time"><span class="quiet">The world's clock: </span><b>\(shift ?? "")</b></a>
        <input type="hidden" name="page" value="\(section)">
        <button name="action" value="real">Real time</button>
        </form>
        """
    }
}
