import Essentials
import HTTP
import Phone
import PlatformKit

extension Console {
    /// `GET /phones/NAME`: one phone, as its owner sees it, and what a developer wants to know of it.
    func phone(_ world: World, _ request: Request) throws -> Page {
        try phone(world, request, said: nil)
    }

    /// `POST /phones/NAME` with `action=…`, as a form of the page sends it: has the phone do something.
    ///
    /// - Response: `303` to its page; the page with what it said, such as a code, or why it was refused.
    func actOnPhoneFromForm(_ world: World, _ request: Request) throws -> Response {
        let (form, name) = (request.form, request.parameter("name"))
        let inputs = RecordForm.values(form)
        let id = form["id"]
        func typed(_ name: String) -> String? { inputs[name].flatMap { $0.isEmpty ? nil : $0 } }
        switch form["action"] {
        case "approve":
            let answer = PhoneAnswer(.approve, by: .pin, pin: typed("pin"))
            return try send(name, world, request) { try $0.answer(id, answer) }
        case "biometry":
            return try send(name, world, request) { try $0.answer(id, PhoneAnswer(.approve, by: .biometry)) }
        case "possession":
            return try send(name, world, request) {
                try $0.answer(id, PhoneAnswer(.approve, by: .possession))
            }
        case "decline":
            return try send(name, world, request) { try $0.answer(id, PhoneAnswer(.decline)) }
        case "scan":
            let text = inputs["text"] ?? ""
            var input = TypedIn()
            (input.pin, input.otp) = (typed("pin"), typed("otp"))
            return try send(name, world, request) { [input] in try $0.scan(text, input) }
        case "enrol": return try send(name, world, request) { try $0.enrol(nil, TypedIn()) }
        case "refresh":
            return try send(name, world, request) { session in
                _ = try session.pending()
                return nil
            }
        case "settings": try set(inputs, on: name, world, request)
        case "delete":
            try knowing { try Phones(world).delete(name) }
            return Self.seeOther(request.mount + "/phones")
        default:
            let page = try phone(
                world, request, said: .init(sentence: "There is no such button.", isRefusal: true))
            return render(page, request, in: world)
        }
        return Self.seeOther(request.mount + "/phones/" + name)
    }

    private func set(_ inputs: [String: String], on name: String, _ world: World, _ request: Request) throws {
        let phone = try knowing {
            try Phones(world).change(name) { phone in
                phone.network = inputs["network"].flatMap(Phone.Network.init(rawValue:)) ?? phone.network
                phone.policy = inputs["policy"].flatMap(PhonePolicy.init(rawValue:)) ?? phone.policy
                if let skew = inputs["clock_skew"].flatMap({ Int($0) }), Phone.clockSkews.contains(skew) {
                    phone.clockSkew = skew
                }
            }
        }
        if phone.network != .offline { phones.wake(name, in: world, at: request.ownURL) }
    }

    private func send(
        _ name: String, _ world: World, _ request: Request,
        _ work: @escaping @Sendable (PhoneSession) throws -> PhoneReport?
    ) throws -> Response {
        try knowing {
            try phones.answer(by: name, in: world, at: request.ownURL, work) { outcome in
                do {
                    guard let report = try outcome.get(), report.code != nil else {
                        return Self.seeOther(request.mount + "/phones/" + name)
                    }
                    let said = PhonePage.Said(sentence: report.sentence, isRefusal: false)
                    return render(try phone(world, request, said: said), request, in: world)
                } catch let refusal as PhoneRefusal {
                    let sentence = [refusal.sdkError, refusal.explanation].compactMap(\.self)
                        .joined(separator: ": ")
                    var page = try phone(
                        world, request, said: .init(sentence: sentence, isRefusal: true))
                    page.status = refusal.kind == .refused ? .conflict : Self.status(of: refusal)
                    return render(page, request, in: world)
                }
            }
        }
    }

    private func phone(_ world: World, _ request: Request, said: PhonePage.Said?) throws -> Page {
        let name = request.parameter("name")
        let session = try knowing { try phones.look(at: name, in: world) }
        var query = OutboxStore.Query()
        (query.to, query.limit) = (session.pushAddress, 5)
        let mark = Handset.mark(name)
        let entries = world.journal.entries().filter { $0.correlation?.hasPrefix(mark) ?? false }
        let page = PhonePage(
            base: request.mount, session: session, now: world.clock.now,
            pushes: try world.outbox.messages(query).filter { !$0.message.subject.isEmpty },
            groups: Array(EntryGroup.groups(of: entries).prefix(20)), said: said)
        return Page(title: "Phone \(name)", tab: .phones, hasForms: true, main: page.html)
    }

    private func knowing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as PhoneRefusal where refusal.kind == .absent {
            throw PageMissing(sentence: refusal.explanation)
        }
    }
}

/// What the page of one phone shows.
struct PhonePage {
    /// What came of a form.
    struct Said {
        let sentence: String
        let isRefusal: Bool
    }

    let base: String
    let session: PhoneSession
    let now: Date
    /// Newest first.
    let pushes: [SentMessage]
    /// What it asked the platforms, newest first.
    let groups: [EntryGroup]
    let said: Said?

    private var phone: Phone { session.phone }
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

    private func form(_ label: String, _ inside: HTML) -> HTML {
        "<form class=\"inputs\" action=\"\(path)\" method=\"post\" aria-label=\"\(label)\">\n\(inside)\n</form>"
    }

    private static func field(_ name: String, _ title: String, _ more: HTML = "") -> HTML {
        """
        <label class="field"><span>\(title)</span> <input name="input.\(name)" autocomplete="off" spellcheck="false"\(more)></label>
        """
    }
}

// The phone itself.
extension PhonePage {
    private var handset: HTML {
        let time = Timestamp.text(now.addingTimeInterval(Double(phone.clockSkew))).dropFirst(11).prefix(5)
        return """
            <section class="handset \(phone.network.rawValue)" data-piece="handset" aria-label="Screen of the phone \(phone.name)">
            <p class="status-bar"><span>\(String(time))</span> <span>\(phone.model.rawValue)</span> <span>\(Self.signs[phone.network] ?? "")</span></p>
            <ul class="icons">
            \(icons)
            </ul>
            \(pushes.isEmpty ? [] : ["<ol class=\"pushes\" aria-label=\"Notifications\">\n\(pushes.map(Self.push))\n</ol>"])
            <div class="asked">
            \(session.requests.isEmpty ? ["<p class=\"hint\">Nothing waits for an answer.</p>"] : session.requests.map(card))
            </div>
            \(form("Home button", "<button name=\"action\" value=\"refresh\">Look again</button>"))
            </section>
            """
    }

    private static let signs: [Phone.Network: String] = [
        .online: "online", .offline: "airplane mode", .slow: "slow network",
    ]

    private var icons: [HTML] {
        let apps = session.shownApps.filter(\.isEnrolled)
        if apps.isEmpty {
            let hint = phone.enrolsAtFirstUse ? "It enrols at its first use." : "No app is enrolled yet."
            return ["<li class=\"hint\">\(hint)</li>"]
        }
        return apps.map { app in
            let state = app.facts.first { $0.name == "State" }?.value ?? ""
            return """
                <li class="icon"><span class="tile" aria-hidden="true">\(String(app.title.prefix(1)))</span> \
                <b>\(app.title)</b> <span class="about">\(state)</span></li>
                """ as HTML
        }
    }

    private static func push(_ sent: SentMessage) -> HTML {
        "<li class=\"push\"><b>\(sent.message.subject)</b> \(.time(Timestamp.text(sent.sentAt)))</li>"
    }

    private func card(_ request: PhoneRequest) -> HTML {
        let hidden: HTML = "<input type=\"hidden\" name=\"id\" value=\"\(request.id)\">"
        let pin: [HTML] =
            request.ways.contains(.pin)
            ? [Self.field("pin", "PIN, or nothing for the right one", " inputmode=\"numeric\"")] : []
        let ways = request.ways.compactMap { Self.buttons[$0] }
        let decline: HTML = "<button class=\"grave\" name=\"action\" value=\"decline\">Decline</button>"
        return """
            <article class="request" data-id="\(request.id)">
            <h2>\(request.title)</h2>
            <p>\(request.message)</p>
            \(request.details.isEmpty ? [] : [HTML.facts([], request.details)])
            \(form("Answer \(request.title)", "\([hidden] + pin + ways + [decline])"))
            </article>
            """
    }

    private static let buttons: [PhoneAnswer.Way: HTML] = [
        .pin: "<button name=\"action\" value=\"approve\">Approve with PIN</button>",
        .biometry: "<button name=\"action\" value=\"biometry\">Approve by biometry</button>",
        .possession: "<button name=\"action\" value=\"possession\">Approve</button>",
    ]
}

// What stands beside it.
extension PhonePage {
    private var scanner: HTML {
        let text: HTML = """
            <label class="field long"><span>What the QR code or the link says, or a code that was typed</span> \
            <textarea name="input.text" rows="3" autocomplete="off" spellcheck="false" required></textarea></label>
            """
        let fields = [
            text, Self.field("pin", "PIN to set up (optional)", " inputmode=\"numeric\""),
            Self.field("otp", "Second secret (optional)"),
            "<button name=\"action\" value=\"scan\">Scan</button>",
        ]
        let enrols =
            phone.owner != nil && !session.shownApps.contains(where: \.isEnrolled)
            ? [
                form(
                    "Enrol",
                    "<button name=\"action\" value=\"enrol\">Enrol \(phone.owner ?? "") with a new code</button>"
                )
            ]
            : []
        return """
            <section class="panel" data-piece="scanner" aria-labelledby="scanner-title">
            <h2 id="scanner-title">Scan</h2>
            \([form("Scan", "\(fields)")] + enrols)
            </section>
            """
    }

    private var settings: HTML {
        let policies = [
            "manual", "approve", "decline", "ignore", "approve after 3 s", "wrong PIN twice, then right",
        ]
        let current = phone.policy.rawValue
        let inputs = [
            ConsoleRecord.Input(
                "network", "Network", isRequired: true, choices: Phone.Network.allCases.map(\.rawValue),
                preset: phone.network.rawValue),
            ConsoleRecord.Input(
                "policy", "By itself, it does", isRequired: true,
                choices: policies.contains(current) ? policies : policies + [current], preset: current),
            ConsoleRecord.Input(
                "clock_skew", "Seconds that its clock is ahead", preset: String(phone.clockSkew)),
        ]
        let save: HTML = "<button name=\"action\" value=\"settings\">Save</button>"
        return """
            <section class="panel" data-piece="settings" aria-labelledby="settings-title">
            <h2 id="settings-title">Settings</h2>
            \(form("Settings", "\(RecordForm(inputs: inputs).html + [save])"))
            \(form("Delete", "<button class=\"grave\" name=\"action\" value=\"delete\">Delete the phone</button>"))
            </section>
            """
    }

    private var holdings: HTML {
        let apps = session.shownApps.filter(\.isEnrolled).map { app in
            """
            <details><summary>What \(app.title) holds</summary>
            \(HTML.facts([], app.facts))
            </details>
            """ as HTML
        }
        return """
            <section class="panel" data-piece="holdings" aria-labelledby="holdings-title">
            <h2 id="holdings-title">What it holds</h2>
            \(apps.isEmpty ? ["<p class=\"hint\">Nothing yet.</p>"] : apps)
            </section>
            """
    }

    private var requests: HTML {
        let lines = groups.map { EntryLine(group: $0, base: base).html }
        return """
            <section class="panel" data-piece="requests" aria-labelledby="requests-title">
            <h2 id="requests-title">What it asked the platforms</h2>
            \(lines.isEmpty ? ["<p class=\"hint\">Nothing yet.</p>"] : ["<ol class=\"entries\">\n\(lines)\n</ol>"])
            </section>
            """
    }
}
