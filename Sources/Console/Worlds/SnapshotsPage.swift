import HTTP
import PlatformKit

extension Console {
    /// `GET /snapshots`: those of the world, the oldest first.
    func snapshotsPage(_ world: World, _ request: Request) throws -> Page {
        try snapshotsPage(world, request, refused: nil)
    }

    /// `POST /snapshots` with `action=take`, `restore`, `keep-clock`, `delete` or `world`, as the forms of the page send it. What cannot be undone is
    /// asked back first, until `sure=yes` comes too.
    ///
    /// - Response: `303` to the page, or to the new world; the page with the reason when it is refused.
    func changeSnapshotsFromForm(_ world: World, _ request: Request) throws -> Response {
        let form = request.form
        let name = form["name"].map(\.trimmed) ?? ""
        if let question = snapshotQuestion(name, form, world, request), form["sure"] != "yes" {
            return render(question.page, request, in: world)
        }
        do {
            switch form["action"] {
            case "take":
                try noteSnapshot(worlds.takeSnapshot(name.isEmpty ? nil : name, of: world.name), in: world)
            case "restore": try restoreSnapshot(name, in: world, keepsClock: false)
            case "keep-clock": try restoreSnapshot(name, in: world, keepsClock: true)
            case "delete": try worlds.deleteSnapshot(name, of: world.name)
            case "world":
                var order = WorldOrder()
                order.name = form["new"].map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
                order.origin = WorldOrder.Origin(world: world.name, snapshot: name)
                return Self.seeOther(request.mount(of: try worlds.create(order)) + "/")
            default: throw ControlError.refused("There is no such button.")
            }
            return Self.seeOther(request.mount + "/snapshots")
        } catch {
            let (status, sentence) = try Self.worldRefusal(error)
            var page = try snapshotsPage(
                world, request, refused: sentence, typed: form["action"] == "take" ? name : "")
            page.status = status
            return render(page, request, in: world)
        }
    }

    private func snapshotQuestion(
        _ name: String, _ form: Form, _ world: World, _ request: Request
    ) -> Question? {
        guard let action = form["action"],
            let (title, sentence) = [
                "restore": (
                    "Restore",
                    "The world \(world.name) and its clock go back to \(name). Everything since then will be lost."
                ),
                "keep-clock": (
                    "Restore",
                    "The world \(world.name) goes back to \(name), but its clock does not. Everything since then will be lost."
                ),
                "delete": ("Delete", "The snapshot \(name) of the world \(world.name) will be deleted."),
            ][action]
        else { return nil }
        return Question(
            title: "\(title) \(name)", sentence: "\(sentence)", path: request.mount + "/snapshots",
            form: form,
            back: request.mount + "/snapshots")
    }

    private func snapshotsPage(
        _ world: World, _ request: Request, refused: String?, typed: String = ""
    ) throws -> Page {
        let page = SnapshotsPage(
            base: request.mount, world: world.name, list: try worlds.snapshots(of: world.name),
            refusal: refused, typed: typed)
        return Page(title: "Snapshots", tab: .snapshots, hasForms: true, main: page.html)
    }
}

/// What the page of snapshots shows.
struct SnapshotsPage {
    let base: String
    let world: String
    let list: SnapshotList
    let refusal: String?
    /// The name that was refused; stands in its field again.
    var typed = ""

    var html: HTML {
        """
        <div class="snapshots" data-page="snapshots">
        <header class="lead">
        <h1>Snapshots</h1>
        <p>Saved states of the world \(world): users, devices, sessions, outbox, clock and random values, but not the journal.</p>
        <form class="filters" action="\(base)/snapshots" method="post" aria-label="Take snapshot">
        <label class="field grow"><span>Name (optional)</span> <input name="name" value="\(typed)" placeholder="a-z, 0-9 and -" maxlength="255" \
        autocomplete="off" spellcheck="false"></label>
        <button class="primary" name="action" value="take">Take snapshot</button>
        </form>
        </header>
        \(refusal.map { "<p class=\"refusal\" role=\"alert\">\($0)</p>" } ?? HTML.none)
        <ol class="records" id="snapshots">
        \(list.snapshots.map(line))
        \(list.damaged.map(line))
        </ol>
        <div class="empty" id="snapshots-empty"\(.hidden(!list.snapshots.isEmpty || !list.damaged.isEmpty))>
        <h2>No snapshots yet</h2>
        <p>Take one with the button above or with this command; <code>restore</code> goes back to it.</p>
        <pre class="shell" data-copy>understudy snapshot save logged-in\(world == Worlds.defaultName ? "" : " --world \(world)")</pre>
        </div>
        </div>
        """
    }

    private func line(_ snapshot: Snapshot) -> HTML {
        let name = snapshot.name
        let file = "\(base + Console.root)/snapshots/\(name)/file"
        let question = "Restore the world \(world) to \(name)? Everything since then will be lost."
        return """
            <li class="record snapshot-row" data-id="\(name)">
            <b class="subject">\(name)</b>
            <span class="about">\(.time(Timestamp.text(snapshot.takenAt)))</span>
            <form class="world-acts" action="\(base)/snapshots" method="post">
            <input type="hidden" name="name" value="\(name)">
            \(button("Restore", "restore", name, question))
            </form>
            <details class="menu drop">
            <summary aria-label="More: \(name)">More</summary>
            <form action="\(base)/snapshots" method="post">
            <input type="hidden" name="name" value="\(name)">
            <button name="action" value="world" aria-label="New world from \(name)">New world from it</button>
            <a href="\(file)" download="\(name).sqlite">Download</a>
            \([
                button("Restore, keep the clock", "keep-clock", name, question),
                button("Delete", "delete", name, "Delete the snapshot \(name)?"),
            ])
            </form>
            </details>
            </li>
            """
    }

    private func line(_ snapshot: SnapshotList.Damaged) -> HTML {
        let name = snapshot.name
        return """
            <li class="record snapshot-row" data-id="\(name)">
            <b class="subject">\(name)</b>
            <span class="about">Cannot be used: \(snapshot.reason).</span>
            <form class="world-acts" action="\(base)/snapshots" method="post">
            <input type="hidden" name="name" value="\(name)">
            \(button("Delete", "delete", name, "Delete the snapshot \(name)?"))
            </form>
            </li>
            """
    }

    private func button(_ title: String, _ action: String, _ name: String, _ question: String) -> HTML {
        """
        <button class="grave" name="action" value="\(action)" aria-label="\(title): \(name)" data-ask="\(question)">\(title)</button>
        """
    }
}
