import HTTP
import Phone
import PlatformKit

// An app on the screen: what waits in it, and what can be done; beside it what it holds.
extension PhonePage {
    func appScreen(_ app: ShownApp) -> [HTML] {
        let head: HTML = """
            <header class="icon"><span class="tile" aria-hidden="true">\(String(app.title.prefix(1)))</span> \
            <h2>\(app.name)</h2> <span class="about">\(app.isEnrolled ? app.standing(owner: phone.owner) : "not enrolled")</span></header>
            """
        if let asked = asked(of: app) { return [head, asked] }
        let own = session.requests.filter { $0.platform == app.platform && $0.account == app.account }
        let nothing: HTML = "<p class=\"hint\">Nothing is waiting.</p>"
        let waits = own.isEmpty ? (app.isEnrolled ? [nothing] : [enrolment(app)]) : waiting(own)
        return [head] + waits + menu(app)
    }

    /// The name that stands for another account among the actions of an app.
    private static let another = "another_account"

    /// An action that needs nothing is a button; another leads to a form that asks for it.
    private func menu(_ app: ShownApp) -> [HTML] {
        let actions = app.actions.map { item($0, app) } + (takesAccounts(app) ? [further(app)] : [])
        guard !actions.isEmpty else { return [] }
        return [
            """
            <details class="menu"><summary>Actions</summary>
            <ul>
            \(actions.map { "<li>\($0)</li>" as HTML })
            </ul>
            </details>
            """
        ]
    }

    private func takesAccounts(_ app: ShownApp) -> Bool {
        app.isEnrolled && app.account == nil && !app.actions.isEmpty
    }

    private func further(_ app: ShownApp) -> HTML {
        "<a href=\"\(path + PhoneScreen(app).path)?do=\(Self.another)\">Add another account</a>"
    }

    private func item(_ action: ConsoleRecord.Action, _ app: ShownApp) -> HTML {
        if action.inputs.isEmpty { return form(action, app, []) }
        return
            "<a href=\"\(path + PhoneScreen(app).path)?do=\(action.name.percentEncoded)\">\(action.title)</a>"
    }

    private func form(_ action: ConsoleRecord.Action, _ app: ShownApp, _ inputs: [HTML]) -> HTML {
        let isAsking = !inputs.isEmpty
        let look: HTML = isAsking ? " class=\"primary\"" : ""
        let button: HTML =
            action.isFinal
            ? Self.grave(
                action.title, value: "do",
                "\(action.title): \(app.name) on the phone \(phone.name)? This cannot be undone.")
            : "<button\(look) name=\"action\" value=\"do\">\(action.title)</button>"
        return form(
            "\(action.title), \(app.name)", inputs + [button], fields: fields(app) + [("verb", action.name)])
    }

    private func fields(_ app: ShownApp) -> [(name: String, value: String)] {
        [("platform", app.platform), ("account", app.account ?? "")]
    }

    /// The form of the action that the address names; nil where it names none that the app has.
    private func asked(of app: ShownApp) -> HTML? {
        let back: HTML = "<a href=\"\(path + PhoneScreen(app).path)\">Cancel</a>"
        if asking == Self.another, takesAccounts(app) {
            let inside = [
                field("account", "Account name: a-z, 0-9 and -", " required"),
                field("user", "User, if not the owner (optional)"),
                "<button class=\"primary\" name=\"action\" value=\"enrol\">Enrol another account at \(app.title)</button>",
                back,
            ]
            return form("Another account at \(app.title)", inside, fields: [("platform", app.platform)])
        }
        guard let action = app.actions.first(where: { $0.name == asking }), !action.inputs.isEmpty else {
            return nil
        }
        let fields = RecordForm(inputs: action.inputs, typed: said?.typed).html
        return "\([form(action, app, fields), back])"
    }

    /// In the place of what waits in an app in which nobody is enrolled.
    private func enrolment(_ app: ShownApp) -> HTML {
        let user = phone.owner == nil ? [field("user", "User", " required")] : []
        let login =
            app.logsIn
            ? [
                """
                <details class="more"><summary>Log in instead of using a code</summary>
                \(field("provider", "OpenID Connect provider to log in with (optional)"))
                </details>
                """ as HTML
            ] : []
        let button: HTML =
            "<button class=\"primary\" name=\"action\" value=\"enrol\">Enrol \(phone.owner ?? "") at \(app.title)</button>"
        return """
            <p class="hint">Enrols with a code that a clerk makes at once. With a code that stands elsewhere, <a href="\(path)/scan">scan it</a>.</p>
            \(form("Enrol at \(app.title)", user + [button] + login, fields: [("platform", app.platform)]))
            """
    }

    func holdings(_ app: ShownApp) -> HTML {
        let nothing: HTML = "<p class=\"hint\">Nothing yet.</p>"
        return """
            <section class="panel" data-piece="holdings" aria-labelledby="holdings-title">
            <h2 id="holdings-title">Data of \(app.name)</h2>
            \(app.facts.isEmpty ? nothing : HTML.facts([], app.facts))
            </section>
            """
    }
}
