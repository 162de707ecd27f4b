import Essentials
import HTTP
import Phone
import PlatformKit

/// The page of one phone: its screen, and beside it what the screen has no room for.
struct PhonePage {
    /// What came of a form.
    struct Said {
        let sentence: String
        let isRefusal: Bool
        /// What was typed into it, by name; stands there again.
        var typed: [String: String]?
    }

    let base: String
    let screen: PhoneScreen
    let session: PhoneSession
    /// Apps that are not enrolled yet.
    let enrollable: [ShownApp]
    let now: Date
    /// Newest first.
    var pushes: [SentMessage] = []
    /// What it asked the platforms, newest first.
    var groups: [EntryGroup] = []
    /// Codes elsewhere in the console.
    var codes: [ShownCode] = []
    /// What codes are searched for; empty for all.
    var words = ""
    /// The same, to look for.
    var search: TextSearch?
    /// Id of the request that is answered; the first where there is none of that id.
    var request: String?
    /// The action of the app that asks for something.
    var asking: String?
    var said: Said?

    var phone: Phone { session.phone }
    var path: String { base + "/phones/" + phone.name }

    /// The script draws each piece anew that has changed.
    var html: HTML {
        """
        <article class="phone-page" data-page="phone" data-name="\(phone.name)" data-address="\(address)">
        <header class="lead">
        <p class="back"><a href="\(base)/phones">Phones</a></p>
        <h1>\(phone.name)</h1>
        <p class="about">\(whose)</p>
        </header>
        \([notice].filter { $0 != HTML.none })
        <div class="pieces" id="pieces">
        \([handset, beside, requests].filter { $0 != HTML.none })
        </div>
        </article>
        """
    }

    /// Where the same is found again, also after a form that was refused.
    private var address: String {
        let query = [
            ("request", request), ("do", asking), ("q", words.isEmpty ? nil : words),
        ].compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        return path + screen.path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private var whose: String {
        let owner = phone.owner.map { "Phone of \($0)" } ?? "Nobody's phone"
        return
            "\(owner), \(phone.policy == .manual ? "answered by hand" : "policy “\(phone.policy.rawValue)”")"
    }

    private var notice: HTML {
        guard let said else { return .none }
        let sentence = said.sentence.prefix(1).uppercased() + said.sentence.dropFirst()
        return said.isRefusal
            ? "<p class=\"refusal\" role=\"alert\">\(sentence)</p>"
            : "<p class=\"told\" role=\"status\">\(sentence)</p>"
    }

    /// The app that the screen shows; nil on other screens, and where the phone has no such app.
    var app: ShownApp? {
        guard case .app(let platform, let account) = screen else { return nil }
        return (session.shownApps + enrollable).first { $0.platform == platform && $0.account == account }
    }

    func form(_ label: String, _ inside: [HTML], fields: [(name: String, value: String)] = []) -> HTML {
        """
        <form class="inputs" action="\(path)" method="post" aria-label="\(label)">
        \(Self.hidden([("screen", screen.word)] + fields) + inside)
        </form>
        """
    }

    static func hidden(_ values: [(name: String, value: String)]) -> [HTML] {
        values.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" }
    }

    /// - Parameter isKept: whether what was typed stands there again; nobody types a wrong PIN a second time.
    func field(_ name: String, _ title: String, _ more: HTML = "", isKept: Bool = true) -> HTML {
        let typed = isKept ? said?.typed?[name] ?? "" : ""
        return """
            <label class="field"><span>\(title)</span> <input name="input.\(name)" value="\(typed)" \
            autocomplete="off" spellcheck="false"\(more)></label>
            """
    }

    /// A button that asks back before it loses something.
    static func grave(_ title: String, value: String, _ question: String) -> HTML {
        "<button class=\"grave\" name=\"action\" value=\"\(value)\" data-ask=\"\(question)\">\(title)</button>"
    }
}

// The phone itself.
extension PhonePage {
    private var handset: HTML {
        let time = Timestamp.text(now.adding(seconds: phone.clockSkew)).dropFirst(11).prefix(5)
        return """
            <section class="handset \(phone.network.rawValue)" data-piece="handset" aria-label="Screen of the phone \(phone.name)">
            <p class="status-bar"><span class="hour" data-ahead="\(phone.clockSkew)">\(String(time))</span> <span>\(phone.model.rawValue)</span> <span>\(Self.signs[phone.network] ?? "")</span></p>
            \(shown)
            <nav class="phone-dock" aria-label="Screens of the phone">
            \(dock)
            </nav>
            </section>
            """
    }

    private static let signs: [Phone.Network: String] = [
        .online: "online", .offline: "airplane mode", .slow: "slow network",
    ]

    private var shown: [HTML] {
        switch screen {
        case .home: home
        case .app: app.map(appScreen) ?? []
        case .scan: [scanner]
        case .settings: settings
        }
    }

    private var dock: [HTML] {
        let screens: [(PhoneScreen, String)] = [(.home, "Home"), (.scan, "Scan"), (.settings, "Settings")]
        return screens.map { screen, title in
            let mark: HTML = screen == self.screen ? " aria-current=\"page\"" : ""
            return "<a href=\"\(path + screen.path)\"\(mark)>\(title)</a>"
        }
    }

    private var beside: HTML {
        switch screen {
        case .app: app.map(holdings) ?? .none
        case .scan: picks
        case .home, .settings: .none
        }
    }

    /// One line each, which leads to the request in the journal.
    private var requests: HTML {
        if screen == .scan { return .none }
        let lines = groups.compactMap(line)
        let nothing: HTML = "<p class=\"hint\">No requests yet.</p>"
        let list: HTML = """
            <ol class="sent">
            \(lines)
            </ol>
            <p class="more"><a href="\(base)/journal?q=\(Handset.mark(phone.name).percentEncoded)">All of them in the journal</a></p>
            """
        return """
            <section class="panel" data-piece="requests" aria-labelledby="requests-title">
            <h2 id="requests-title">Requests to platforms</h2>
            \(lines.isEmpty ? nothing : list)
            </section>
            """
    }

    private func line(_ group: EntryGroup) -> HTML? {
        guard let request = group.request, let exchange = request.exchange else { return nil }
        let why = exchange.isRefused ? request.explanation : nil
        return """
            <li data-id="\(request.id)">
            <span class="outcome \(EntryLine.outcome(request, exchange))">\(EntryLine.status(exchange))</span>
            <a href="\(base)/journal/\(request.id)">\(exchange.method) \(EntryLine.short(exchange.target))</a>
            \(EntryLine.time(request))
            \(why.map { ["<span class=\"why\">\($0)</span>"] } ?? [])
            </li>
            """
    }
}
