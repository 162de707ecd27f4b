import HTTP
import PlatformKit

extension Console {
    /// `GET /faults`: the rules of the world, with how often they struck.
    func faults(_ world: World, _ request: Request) throws -> Page { faults(world, request, refused: nil) }

    /// `POST /faults` with `action=add`, `delete` or `clear`, as the forms of the page send it. Before all are deleted, it is asked back until
    /// `sure=yes` comes too.
    ///
    /// - Response: `303` to the page; the page with the reason when it is refused.
    func changeFaultsFromForm(_ world: World, _ request: Request) throws -> Response {
        let form = request.form
        if form["action"] == "clear", form["sure"] != "yes" {
            let question = Question(
                title: "Delete all faults",
                sentence: "All \(world.faults.count) faults of the world \(world.name) will be deleted.",
                path: request.mount + "/faults", form: form, back: request.mount + "/faults", tab: .faults)
            return render(question.page, request, in: world)
        }
        do {
            switch form["action"] {
            case "delete": try deleteFault(form["name"] ?? "", of: world)
            case "clear": try clearFaults(of: world)
            default:
                let rule = try FaultForm(form).rule(platforms: info.faultPlatforms)
                noteFault("fault added", try world.addFault(rule), in: world)
            }
            return Self.seeOther(request.mount + "/faults")
        } catch let refusal as FaultRefusal {
            return refused(Self.status(of: refusal), refusal.explanation, form, world, request)
        } catch let wrong as FaultForm.Wrong {
            return refused(.unprocessableContent, wrong.sentence, form, world, request)
        }
    }

    private func refused(
        _ status: Status, _ sentence: String, _ form: Form, _ world: World, _ request: Request
    ) -> Response {
        var page = faults(world, request, refused: (sentence, FaultForm(form)))
        page.status = status
        return render(page, request, in: world)
    }

    private func faults(
        _ world: World, _ request: Request, refused: (sentence: String, form: FaultForm)?
    ) -> Page {
        let page = FaultsPage(
            base: request.mount, world: world.name, faults: world.faults, platforms: info.platforms,
            refusal: refused?.sentence,
            typed: refused?.form)
        return Page(title: "Faults", tab: .faults, hasForms: true, main: page.html)
    }
}

/// The form that adds a fault, as it was typed.
struct FaultForm {
    struct Wrong: Error {
        let sentence: String
    }

    private let form: Form

    init(_ form: Form) { self.form = form }

    /// Empty for what was not typed.
    subscript(_ name: String) -> String { form[name] ?? "" }

    private func text(_ name: String) -> String? { self[name].isEmpty ? nil : self[name] }

    /// - Throws: ``Wrong``.
    func rule(platforms: [String]) throws -> FaultRule {
        guard let kind = FaultEffects.kind(self["effect"]) else {
            throw Wrong(sentence: "Choose what the fault does.")
        }
        guard let effect = kind.init(self["value"].trimmed) else {
            throw Wrong(sentence: "The value of \(kind.title) looks like this: \(kind.form).")
        }
        var match = FaultMatch()
        (match.platform, match.method, match.path) = (text("platform"), text("method"), text("path"))
        (match.user, match.client) = (text("user"), text("client"))
        (match.from, match.to) = (try whole("from"), try whole("to"))
        match.probability = try percent()
        let rule = FaultRule(self["name"], match, effect)
        do {
            try rule.check(platforms: platforms)
        } catch let problem as FixtureProblem {
            throw Wrong(sentence: "\(problem.path.joined(separator: ".")): \(problem.reason).")
        }
        return rule
    }

    private func whole(_ name: String) throws -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(digits: text) else {
            throw Wrong(sentence: "Hits are counted in whole numbers, from 1.")
        }
        return number
    }

    private func percent() throws -> Double? {
        guard let text = text("percent") else { return nil }
        guard JSONNumber.isWellFormed(text), let percent = Double(text) else {
            throw Wrong(sentence: "The chance is a percentage, such as 25.")
        }
        return percent / 100
    }
}

/// What the page of faults shows.
struct FaultsPage {
    let base: String
    let world: String
    /// In the order in which they are asked.
    let faults: [FaultRule]
    let platforms: [any Platform.Type]
    /// Why the change that was asked for was not made, and what was typed.
    let refusal: String?
    let typed: FaultForm?

    var html: HTML {
        """
        <div class="faults" data-page="faults">
        <header class="lead">
        <h1>Faults</h1>
        <p>What goes wrong on purpose in this world. Each request to a platform goes through the list from top to bottom.</p>
        </header>
        \(refusal.map { "<p class=\"refusal\" role=\"alert\">\($0)</p>" } ?? HTML.none)
        <section class="panel" aria-labelledby="presets-title">
        <h2 id="presets-title">Often wanted</h2>
        <div class="controls">
        \(FaultPreset.all.map { $0.html(at: base) })
        </div>
        </section>
        \(maker)
        <ol class="records" id="faults">
        \(faults.map { line($0) })
        </ol>
        <form class="clear" id="faults-clear" action="\(base)/faults" method="post"\(.hidden(faults.count < 2))>
        <button class="grave" name="action" value="clear" \
        data-ask="Delete all faults of the world \(world)?">Delete all faults</button>
        </form>
        <div class="empty" id="faults-empty"\(.hidden(!faults.isEmpty))>
        <h2>No faults yet</h2>
        <p>Add one with the form above or with this command: two requests are answered with 503, and the next one succeeds.</p>
        <pre class="shell" data-copy>\(command)</pre>
        </div>
        </div>
        """
    }

    private var command: String {
        let platform = platforms.first.map { " --platform \($0.name)" } ?? ""
        return "understudy fault add --status 503 --times 2\(platform)"
            + (world == Worlds.defaultName ? "" : " --world \(world)")
    }

    private func line(_ rule: FaultRule) -> HTML {
        let match = rule.match.words
        let look: HTML = rule.struck == 0 ? "moved" : "refused"
        let struck =
            rule.struck == 0 ? "not yet" : rule.struck == 1 ? "struck once" : "struck \(rule.struck) times"
        return """
            <li class="fault" data-id="\(rule.name)">
            <span class="outcome \(look)">\(struck)</span>
            <b class="subject">\(rule.name)</b>
            <span class="to">\(rule.effect.words)</span>
            <span class="about">\(match.isEmpty ? "every request" : match)</span>
            <form action="\(base)/faults" method="post">
            <input type="hidden" name="name" value="\(rule.name)">
            <button name="action" value="delete" aria-label="Delete \(rule.name)">Delete</button>
            </form>
            </li>
            """
    }

    /// Stands open with what was typed when that was refused.
    private var maker: HTML {
        let effects = HTML.options(
            FaultEffects.all.map { ($0.key, $0.title) }, chosen: typed?["effect"] ?? "")
        let places = HTML.options(
            [("", "All")] + platforms.map { ($0.name, $0.title) }, chosen: typed?["platform"] ?? "")
        let methods = HTML.options(
            [("", "All")] + ["GET", "POST", "PUT", "PATCH", "DELETE"].map { ($0, $0) },
            chosen: typed?["method"] ?? "")
        return """
            <ul class="makers">
            <li class="maker">
            <details\(typed?["effect"].isEmpty == false ? " open" as HTML : .none)>
            <summary>Add a fault</summary>
            <form class="inputs" action="\(base)/faults" method="post" aria-label="Add a fault">
            <label class="field"><span>Effect</span> <select name="effect" required>\(effects)</select></label>
            \([field("value", "Value", "503", isRequired: true), field("name", "Name (optional)", "generated")])
            <label class="field"><span>Platform</span> <select name="platform">\(places)</select></label>
            <label class="field"><span>Method</span> <select name="method">\(methods)</select></label>
            \([
                field("path", "Path below the platform (optional)", "/token, /users/:id, /oauth/*"),
                field("user", "User (optional)", "ada"), field("client", "Client (optional)", "client id"),
                field("from", "First hit (optional)", "1"), field("to", "Last hit (optional)", "2"),
                field("percent", "Chance in percent (optional)", "100"),
                "<button class=\"primary\" type=\"submit\" name=\"action\" value=\"add\">Add fault</button>",
            ])
            </form>
            \(guide)
            </details>
            </li>
            </ul>
            """
    }

    private func field(_ name: String, _ title: String, _ example: String, isRequired: Bool = false) -> HTML {
        let required: HTML = isRequired ? " required" : .none
        return """
            <label class="field"><span>\(title)</span> <input name="\(name)" value="\(typed?[name] ?? "")" placeholder="\(example)" \
            autocomplete="off" spellcheck="false"\(required)></label>
            """
    }

    /// How values are written.
    private var guide: HTML {
        let flaws = ("token flaws", TokenEffect.flaws.joined(separator: ", "), "")
        let lines = (FaultEffects.all.map { ($0.title, $0.form, $0.does) } + [flaws]).map {
            "<div><dt>\($0)</dt><dd><code>\($1)</code> \($2)</dd></div>" as HTML
        }
        return """
            <dl class="facts">
            \(lines)
            </dl>
            """
    }
}
