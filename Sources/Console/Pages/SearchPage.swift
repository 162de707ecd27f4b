import Essentials
import HTTP
import PlatformKit

/// What the page of the search shows, and the sheet below the field in the header.
struct SearchPage {
    /// Hits of one kind: enough to see whether the words were well chosen.
    static let limit = 6

    /// Something that was found: a link, or something to do.
    struct Hit {
        let title: String
        let about: String
        /// Below the mount of the world.
        let path: String
        /// What a form sends there; nil for a link.
        var form: [(name: String, value: String)]?
        /// What is lost by it, as a question.
        var question: String?

        init(_ title: String, _ about: String, path: String) {
            (self.title, self.about, self.path) = (title, about, path)
        }

        /// Whether each of the words is somewhere in it.
        func has(_ words: [TextSearch]) -> Bool {
            words.allSatisfy { $0.isIn(title) || $0.isIn(about) }
        }

        /// The same as a button.
        func doing(_ form: (name: String, value: String)..., asking question: String? = nil) -> Hit {
            var hit = self
            (hit.form, hit.question) = (form, question)
            return hit
        }
    }

    struct Group {
        let title: String
        let hits: [Hit]

        init(_ title: String, _ hits: [Hit]) { (self.title, self.hits) = (title, hits) }
    }

    let base: String
    let words: String
    let groups: [Group]

    /// The pages of the navigation, each with what people look for there.
    static let pages = [
        Hit("Home", "Addresses, newest codes, refusals", path: "/"),
        Hit("Flows", "Sequence diagrams of logins", path: "/flows"),
        Hit("Journal", "Requests, refusals, explanations", path: "/journal"),
        Hit("Audit logs", "What platforms recorded", path: "/audit"),
        Hit("Compare", "A recording of the real service, beside ours", path: "/compare"),
        Hit("Outbox", "Mails, text messages, pushes, codes", path: "/outbox"),
        Hit("Waiting", "Transactions, QR codes, approvals", path: "/transactions"),
        Hit("Phones", "Scan, approve, enrol", path: "/phones"),
        Hit("People and devices", "Users, registrations, sessions, applications", path: "/devices"),
        Hit("Tokens", "Mint an access token or ID token", path: "/mint"),
        Hit("Snapshots", "Save and restore", path: "/snapshots"),
        Hit("Time", "Clock, expiry", path: "/time"),
        Hit("Worlds", "Create, reset, delete", path: "/worlds"),
        Hit("Faults", "Errors on purpose, delays", path: "/faults"),
        Hit("Certificates", "TLS, trust, development CA", path: "/ca"),
        Hit("Documentation", "", path: "/docs"),
        Hit("Control API", "OpenAPI", path: "/_understudy/v1/openapi.json"),
    ]

    /// What one often wants to do, and a button somewhere else does.
    static func actions(_ world: String) -> [Hit] { moves + faults + changes(world) }

    private static let faults = FaultPreset.all.map { preset in
        var hit = Hit(preset.title, preset.about, path: "/faults")
        hit.form = preset.form
        return hit
    }

    private static var moves: [Hit] {
        let spans = [("1 minute", "1m"), ("5 minutes", "5m"), ("1 hour", "1h"), ("1 day", "1d")]
        return spans.map { words, span in
            Hit("Advance the clock by \(words)", "+\(span)", path: "/time").doing(
                ("action", "step"), ("span", span))
        } + [
            Hit("Freeze the clock", "Time stands still", path: "/time").doing(("action", "freeze")),
            Hit("Run the clock", "After it was frozen", path: "/time").doing(("action", "run")),
            Hit("Set the clock to the real time", "", path: "/time").doing(("action", "real")),
        ]
    }

    private static func changes(_ world: String) -> [Hit] {
        [
            Hit("Save a snapshot", "", path: "/snapshots").doing(("action", "take")),
            Hit("Make a world like this one", "A copy to go on in", path: "/worlds").doing(
                ("action", "copy"), ("name", world)),
            Hit("Reset this world", "Begins again with its fixtures", path: "/worlds").doing(
                ("action", "reset"), ("name", world),
                asking: "Reset the world \(world)? Its users, messages and journal will be lost."),
        ]
    }

    var html: HTML {
        """
        <div class="search" data-page="search">
        <header class="lead">
        <h1>Search</h1>
        <form class="filters" role="search" action="\(base)/search" method="get">
        <label class="field grow"><span>Search everything</span> <input type="search" name="q" value="\(words)" \
        maxlength="\(TextSearch.longestWords)" autocomplete="off" spellcheck="false"></label>
        <button type="submit">Search</button>
        </form>
        </header>
        <div class="found" id="found">
        \(groups.map(group))
        </div>
        <div class="empty" id="search-nothing"\(.hidden(!groups.isEmpty))>
        <h2>No matches</h2>
        <p>Nothing in this world has these words in its name, id, address or code. Bodies of requests are searched in the <a \
        href="\(base)/journal?q=\(words.percentEncoded)">journal</a>.</p>
        </div>
        </div>
        """
    }

    private func group(_ group: Group) -> HTML {
        """
        <section>
        <h2>\(group.title)</h2>
        <ul>
        \(group.hits.map(line))
        </ul>
        </section>
        """
    }

    private func line(_ hit: Hit) -> HTML {
        let about: HTML = hit.about.isEmpty ? .none : " <span class=\"about\">\(hit.about)</span>"
        guard let form = hit.form else {
            return "<li><a class=\"hit\" href=\"\(base + hit.path)\">\(hit.title)\(about)</a></li>"
        }
        let fields = form.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as HTML }
        let question: HTML = hit.question.map { " data-ask=\"\($0)\"" } ?? .none
        return """
            <li><form action="\(base + hit.path)" method="post">\(fields)<button class="hit"\(question)>\(hit.title)\(about)</button></form></li>
            """
    }
}
