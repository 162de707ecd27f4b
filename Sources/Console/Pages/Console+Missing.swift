import Essentials
package import HTTP
package import PlatformKit

extension Console {
    /// The page for a browser whose request was refused, with the sentence; nil for a client that wants no page.
    package func problemPage(_ request: Request, in world: World?, _ status: Status, _ sentence: String)
        -> Response?
    {
        guard Self.takesPage(request) else { return nil }
        let base = world == nil ? request.prefix : request.mount
        let hint: HTML =
            request.method == .post
            ? "<p class=\"hint\">Nothing was changed.</p>"
            : ""
        let page = Page(
            status: status, title: status.reason,
            main: """
                <div class="nowhere" data-page="problem">
                <header class="lead">
                <h1>\(Self.heading(status))</h1>
                <p>\(sentence)</p>
                </header>
                \(hint)
                <ul class="ways">
                <li><a href="\(base)/">Home</a>: addresses and test users</li>
                <li><a href="\(base)/journal">Journal</a>: every request, and why it was refused</li>
                </ul>
                </div>
                """)
        return render(page, request, in: world)
    }

    /// What people call it; the sentence says the rest.
    private static func heading(_ status: Status) -> String {
        switch status {
        case .contentTooLarge: "Too much for this form"
        case .methodNotAllowed: "Not possible here"
        case .insufficientStorage, .serviceUnavailable: "No room for this"
        case .misdirectedRequest: "Not our name"
        default: "Refused"
        }
    }

    /// The page for a browser that asks for a path which nobody has; nil for a client that wants no page.
    package func lostPage(_ request: Request, in world: World) -> Response? {
        guard Self.wantsPage(request) else { return nil }
        let sentence = "There is no page \(request.path.shortened)."
        return render(missingPage(PageMissing(sentence: sentence), request), request, in: world)
    }

    /// The page for a browser that asks for something in a world that does not exist; nil for a client that wants no page.
    package func worldlessPage(_ request: Request, name: String) -> Response? {
        guard Self.wantsPage(request) else { return nil }
        let addresses = WorldAddresses(request, info)
        // Without the token, nobody learns which worlds there are.
        let all = access.token.allowsPage(request) ? worlds.names : []
        let known = all.filter { $0 != Worlds.defaultName }.prefix(49)
        let ways = known.map { name -> HTML in "<li><a href=\"\("/w/" + name + "/")\">\(name)</a></li>" }
        let name = name.shortened
        // A name that no world can have is not put into a command.
        let isPossible = WorldName.isOne(name)
        let call = addresses.base(of: Worlds.defaultName) + Self.root + "/worlds"
        let command: HTML =
            isPossible
            ? """
            <p class="hint">To create it:</p>
            <pre class="shell" data-copy>curl \(call) -H 'Content-Type: application/json' -d '{"name":"\(name)"}'</pre>
            """ : ""
        let page = Page(
            status: .notFound, title: "No such world",
            main: """
                <div class="nowhere" data-page="not-found">
                <header class="lead">
                <h1>No such world</h1>
                <p>There is no world <b>\(name)</b>. It may have been deleted, or dropped because it was idle.</p>
                </header>
                <ul class="ways">
                \([#"<li><a href="/">default</a></li>"#] + ways)
                </ul>
                \(command)
                </div>
                """)
        return render(page, request, in: nil)
    }

    func missingPage(_ missing: PageMissing, _ request: Request) -> Page {
        let base = request.mount
        return Page(
            status: .notFound, title: "Not found", tab: missing.tab,
            main: """
                <div class="nowhere" data-page="not-found">
                <header class="lead">
                <h1>Not found</h1>
                <p>\(missing.sentence)</p>
                </header>
                <ul class="ways">
                <li><a href="\(base)/">Home</a>: addresses and test users</li>
                <li><a href="\(base)/outbox">Outbox</a>: every code and message</li>
                <li><a href="\(base)/journal">Journal</a>: every request, and why it was refused</li>
                </ul>
                </div>
                """)
    }

    private static func wantsPage(_ request: Request) -> Bool {
        (request.method == .get || request.method == .head) && takesPage(request)
    }

    /// A form that a browser sends says so, too.
    private static func takesPage(_ request: Request) -> Bool {
        request.headers.values(of: "Accept").contains { $0.asciiLowercased.contains("text/html") }
    }
}
