import Essentials
import HTTP
import Phone
import PlatformKit

/// What the page of one phone shows.
struct PhonePage {
    /// What came of a form.
    struct Said {
        let sentence: String
        let isRefusal: Bool
    }

    let base: String
    let session: PhoneSession
    /// Apps that are not enrolled yet.
    let enrollable: [ShownApp]
    /// Codes elsewhere in the console.
    let codes: [ShownCode]
    let now: Date
    /// Newest first.
    let pushes: [SentMessage]
    /// What it asked the platforms, newest first.
    let groups: [EntryGroup]
    let said: Said?

    var phone: Phone { session.phone }
    private var path: String { base + "/phones/" + phone.name }

    /// The script draws each piece anew that has changed.
    var html: HTML {
        """
        <article class="phone-page" data-page="phone" data-name="\(phone.name)">
        <header class="lead">
        <p class="back"><a href="\(base)/phones">Phones</a></p>
        <h1>\(phone.name)</h1>
        </header>
        \([notice].filter { $0 != HTML.none })
        <div class="pieces" id="pieces">
        \([handset, scanner, settings, holdings, requests])
        </div>
        </article>
        """
    }

    private var notice: HTML {
        guard let said else { return .none }
        let sentence = said.sentence.prefix(1).uppercased() + said.sentence.dropFirst()
        return said.isRefusal
            ? "<p class=\"refusal\" role=\"alert\">\(sentence)</p>"
            : "<p class=\"told\" role=\"status\">\(sentence)</p>"
    }

    func form(_ label: String, _ inside: HTML) -> HTML {
        "<form class=\"inputs\" action=\"\(path)\" method=\"post\" aria-label=\"\(label)\">\n\(inside)\n</form>"
    }

    static func hidden(_ values: [(name: String, value: String)]) -> [HTML] {
        values.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" }
    }

    static func field(_ name: String, _ title: String, _ more: HTML = "") -> HTML {
        """
        <label class="field"><span>\(title)</span> <input name="input.\(name)" autocomplete="off" spellcheck="false"\(more)></label>
        """
    }
}

// The phone itself.
extension PhonePage {
    private var handset: HTML {
        let time = Timestamp.text(now.adding(seconds: phone.clockSkew)).dropFirst(11).prefix(5)
        return """
            <section class="handset \(phone.network.rawValue)" data-piece="handset" aria-label="Screen of the phone \(phone.name)">
            <p class="status-bar"><span>\(String(time))</span> <span>\(phone.model.rawValue)</span> <span>\(Self.signs[phone.network] ?? "")</span></p>
            <ul class="icons">
            \(icons)
            </ul>
            \(pushes.isEmpty ? [] : ["<ol class=\"pushes\" aria-label=\"Notifications\">\n\(pushes.map(Self.push))\n</ol>"])
            <div class="asked">
            \(session.requests.isEmpty ? ["<p class=\"hint\">Nothing to approve.</p>"] : session.requests.map(card))
            </div>
            \(form("Home button", "<button name=\"action\" value=\"refresh\">Refresh</button>"))
            </section>
            """
    }

    private static let signs: [Phone.Network: String] = [
        .online: "online", .offline: "airplane mode", .slow: "slow network",
    ]

    private var icons: [HTML] {
        let apps = session.shownApps.filter(\.isEnrolled)
        if apps.isEmpty {
            let hint =
                phone.enrolsAtFirstUse
                ? "Its apps enrol when they are first used." : "No app is enrolled yet."
            return ["<li class=\"hint\">\(hint)</li>"]
        }
        return apps.map { app in
            let state = app.facts.first { $0.name == "State" }?.value ?? ""
            return """
                <li class="icon"><span class="tile" aria-hidden="true">\(String(app.title.prefix(1)))</span> \
                <b>\(app.name)</b> <span class="about">\(state)</span></li>
                """ as HTML
        }
    }

    private static func push(_ sent: SentMessage) -> HTML {
        "<li class=\"push\"><b>\(sent.message.subject)</b> \(.time(Timestamp.text(sent.sentAt)))</li>"
    }

    private func card(_ request: PhoneRequest) -> HTML {
        let hidden = Self.hidden([
            ("id", request.id), ("platform", request.platform), ("account", request.account ?? ""),
        ])
        let pin: [HTML] =
            request.ways.contains(.pin)
            ? [Self.field("pin", "PIN (left empty, the right one)", " inputmode=\"numeric\"")] : []
        let ways = request.ways.compactMap { Self.buttons[$0] }
        let decline: HTML = "<button class=\"grave\" name=\"action\" value=\"decline\">Decline</button>"
        return """
            <article class="request" data-id="\(request.id)">
            <h2>\(request.title)</h2>
            \(request.account.map { ["<p class=\"hint\">Account \($0)</p>"] } ?? [])
            <p>\(request.message)</p>
            \(request.details.isEmpty ? [] : [HTML.facts([], request.details)])
            \(form("Answer \(request.title)", "\(hidden + pin + ways + [decline, Self.flaws(request)])"))
            </article>
            """
    }

    /// What a test wants to see refused.
    private static func flaws(_ request: PhoneRequest) -> HTML {
        let inputs = [
            ConsoleRecord.Input(
                "fault", "Fault", choices: request.faults.map(\.rawValue)),
            ConsoleRecord.Input("after", "Delay in seconds"),
        ]
        return """
            <details class="more"><summary>Delay or fault</summary>
            \(RecordForm(inputs: inputs).html)
            <button name="action" value="wrong-pin">Approve with a wrong PIN</button>
            </details>
            """
    }

    private static let buttons: [PhoneAnswer.Way: HTML] = [
        .pin: "<button name=\"action\" value=\"approve\">Approve with PIN</button>",
        .biometry: "<button name=\"action\" value=\"biometry\">Approve with biometrics</button>",
        .possession: "<button name=\"action\" value=\"possession\">Approve</button>",
    ]
}

// What stands beside it.
extension PhonePage {
    private var settings: HTML {
        let inputs = [
            ConsoleRecord.Input(
                "network", "Network", isRequired: true, choices: Phone.Network.allCases.map(\.rawValue),
                preset: phone.network.rawValue),
            ConsoleRecord.Input(
                "policy", "Policy", isRequired: true,
                choices: Self.policies(and: phone.policy), preset: phone.policy.rawValue),
            ConsoleRecord.Input(
                "keeps_alive", "Pings while the clock is moved", isRequired: true,
                choices: ["no", "yes"], preset: phone.keepsAlive ? "yes" : "no"),
            ConsoleRecord.Input(
                "clock_skew", "Clock ahead by, in seconds", preset: String(phone.clockSkew)),
        ]
        let builds = Phone.sdkChoices.map { platform, title, names in
            ConsoleRecord.Input(
                Self.sdkPrefix + platform, "SDK of \(title)", isRequired: true, choices: names,
                preset: phone.chosenSDKs[platform] ?? "")
        }
        let save: HTML = "<button name=\"action\" value=\"settings\">Save</button>"
        return """
            <section class="panel" data-piece="settings" aria-labelledby="settings-title">
            <h2 id="settings-title">Settings</h2>
            \(form("Settings", "\(RecordForm(inputs: inputs + builds).html + [policies, save])"))
            \(form("Delete", "<button class=\"grave\" name=\"action\" value=\"delete\">Delete phone</button>"))
            </section>
            """
    }

    /// What it does by itself in single apps; nothing chosen is what it does elsewhere.
    private var policies: HTML {
        let inputs = Phone.policyScopes.map { scope, title in
            let own = phone.policies?[scope]
            return ConsoleRecord.Input(
                Self.policyPrefix + scope, title, choices: [Self.noPolicy] + Self.policies(and: own),
                preset: own?.rawValue ?? Self.noPolicy)
        }
        let isOpen: HTML = phone.policies == nil ? "" : " open"
        return """
            <details class="more"\(isOpen)><summary>Policies for single apps and kinds of requests</summary>
            \(RecordForm(inputs: inputs).html)
            </details>
            """
    }

    private static func policies(and policy: PhonePolicy?) -> [String] {
        let usual = [
            "manual", "approve", "decline", "ignore", "approve after 3 s", "decline after 3 s",
            "wrong PIN twice, then right",
        ]
        guard let word = policy?.rawValue, !usual.contains(word) else { return usual }
        return usual + [word]
    }

    /// In front of the app in the name of an input.
    static let sdkPrefix = "sdk:"
    /// In front of app and kind in the name of an input.
    static let policyPrefix = "policy:"
    /// The choice of none.
    static let noPolicy = "as above"

    private var holdings: HTML {
        let apps = session.shownApps.filter(\.isEnrolled).map { app in
            """
            <details><summary>Data of \(app.name)</summary>
            \(HTML.facts([], app.facts))
            </details>
            \(app.actions.map { begin($0, app) })
            """ as HTML
        }
        return """
            <section class="panel" data-piece="holdings" aria-labelledby="holdings-title">
            <h2 id="holdings-title">Data on the phone</h2>
            \(apps.isEmpty ? ["<p class=\"hint\">Nothing yet.</p>"] : apps)
            </section>
            """
    }

    private func begin(_ action: ConsoleRecord.Action, _ app: ShownApp) -> HTML {
        let look: HTML = action.isFinal ? " class=\"grave\"" : ""
        let hidden = Self.hidden([
            ("platform", app.platform), ("account", app.account ?? ""), ("verb", action.name),
        ])
        let button: HTML = "<button\(look) name=\"action\" value=\"do\">\(action.title)</button>"
        return form(
            "\(action.title), \(app.name)", "\(hidden + RecordForm(inputs: action.inputs).html + [button])")
    }

    private var requests: HTML {
        let lines = groups.map { EntryLine(group: $0, base: base).html }
        return """
            <section class="panel" data-piece="requests" aria-labelledby="requests-title">
            <h2 id="requests-title">Requests to platforms</h2>
            \(lines.isEmpty ? ["<p class=\"hint\">Nothing yet.</p>"] : ["<ol class=\"entries\">\n\(lines)\n</ol>"])
            </section>
            """
    }
}

extension ShownApp {
    /// With the account, where it is not the first: `nextAuth, work`.
    fileprivate var name: String { [title, account].compactMap(\.self).joined(separator: ", ") }
}
