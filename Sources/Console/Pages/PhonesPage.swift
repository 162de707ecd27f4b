import HTTP
import Phone
import PlatformKit

extension Console {
    /// `GET /phones?scan=`: the phones of the world, and a form that makes one; and a code that a page elsewhere shows, to be scanned.
    func phones(_ world: World, _ request: Request) throws -> Page {
        try phones(world, request, refused: nil, typed: nil)
    }

    /// `POST /phones` with `input.name=…&input.owner=…&input.model=…`: makes a phone.
    ///
    /// - Response: `303` to its page; the list with the reason when it is refused.
    func makePhoneFromForm(_ world: World, _ request: Request) throws -> Response {
        let inputs = RecordForm.values(request.form)
        let name = inputs["name"] ?? ""
        do {
            let owner = inputs["owner"].flatMap { $0.isEmpty ? nil : String($0.prefix(255)) }
            try Phones(world).add(
                Phone(name, owner: owner, model: Phone.Model(rawValue: inputs["model"] ?? "") ?? .ios))
        } catch let refusal as PhoneRefusal {
            var page = try phones(world, request, refused: refusal.explanation, typed: inputs)
            page.status = Self.status(of: refusal)
            return render(page, request, in: world)
        }
        return Self.seeOther(request.mount + "/phones/" + name)
    }

    private func phones(
        _ world: World, _ request: Request, refused: String?, typed: [String: String]?
    ) throws -> Page {
        let sessions = try Phones(world).all().map { try phones.look(at: $0.name, in: world) }
        let page = PhonesPage(
            base: request.mount, phones: sessions, people: try world.people.all().map(\.id),
            code: request.queryItems["scan"].flatMap { $0.isEmpty ? nil : $0 }, refused: refused,
            typed: typed,
            steps: FirstSteps(info.platforms, WorldAddresses(request, info), in: world.name, people: []))
        return Page(title: "Phones", tab: .phones, hasForms: true, main: page.html)
    }
}

extension HTML {
    /// A button for each phone that could scan a code that stands on a page.
    static func scanners(_ code: String, base: String, phones: [String]) -> [HTML] {
        guard !phones.isEmpty else { return [] }
        let buttons = phones.prefix(5).map { name in
            "<button formaction=\"\(base)/phones/\(name)\">Scan with the phone \(name)</button>" as HTML
        }
        return [
            """
            <form class="inputs scanners" action="\(base)/phones/\(phones[0])" method="post">
            <input type="hidden" name="action" value="scan"><input type="hidden" name="input.text" value="\(code)">
            \(Array(buttons))
            </form>
            """
        ]
    }
}

/// The list of phones.
struct PhonesPage {
    let base: String
    let phones: [PhoneSession]
    /// Ids of the cast.
    let people: [String]
    /// What a link from another page brought, to be scanned; nothing happens before somebody presses a button.
    let code: String?
    let refused: String?
    let typed: [String: String]?
    let steps: FirstSteps

    var html: HTML {
        """
        <div class="phones" data-page="phones">
        <header class="lead">
        <h1>Phones</h1>
        <p>Simulated phones, whose apps speak to the platforms as the vendors' SDKs do.</p>
        </header>
        \([refusal, scanner].filter { $0 != HTML.none })
        <div class="pieces" id="pieces">
        <ol class="records" data-piece="list">
        \(phones.map { line($0) })
        </ol>
        \(phones.isEmpty ? [none] : [])
        <section class="panel" data-piece="make" aria-labelledby="make-title">
        <h2 id="make-title">New phone</h2>
        <form class="inputs" action="\(base)/phones" method="post" aria-label="New phone">
        \(RecordForm(inputs: Self.inputs, typed: typed).html + ["<button class=\"primary\">Create phone</button>"])
        </form>
        </section>
        </div>
        </div>
        """
    }

    /// Stands outside of what is drawn anew: the address of the list says nothing of it.
    private var scanner: HTML {
        guard let code else { return .none }
        let buttons = HTML.scanners(code, base: base, phones: phones.map(\.phone.name))
        let hint: HTML =
            "<p class=\"hint\">This world has no phones yet. Create one, then follow the link again.</p>"
        return """
            <section class="panel" aria-labelledby="scan-title">
            <h2 id="scan-title">Scan a code</h2>
            <p class="otp"><code class="code" data-copy>\(code)</code></p>
            \(buttons.isEmpty ? [hint] : buttons)
            </section>
            """
    }

    private var none: HTML {
        """
        <div class="empty" data-piece="none">
        <h2>No phones yet</h2>
        <p>A phone belongs to a person. Its apps enrol at the platforms of this world, scan codes, and answer what they are asked. Create one \
        below, or on the command line:</p>
        \(steps.phone)
        </div>
        """
    }

    private static let inputs = [
        ConsoleRecord.Input("name", "Name: a-z, 0-9 and -", isRequired: true),
        ConsoleRecord.Input("owner", "Owner's user id"),
        ConsoleRecord.Input(
            "model", "Model", isRequired: true, choices: Phone.Model.allCases.map(\.rawValue), preset: "ios"),
    ]

    private var refusal: HTML {
        refused.map { "<p class=\"refusal\" role=\"alert\">\($0)</p>" } ?? .none
    }

    private func line(_ session: PhoneSession) -> HTML {
        let phone = session.phone
        let waiting = session.requests.count
        let isIn = session.shownApps.contains(where: \.isEnrolled)
        let word = waiting > 0 ? "\(waiting) waiting" : isIn ? "enrolled" : "empty"
        let outcome = waiting > 0 ? "moved" : isIn ? "good" : "over"
        return """
            <li class="record" data-id="\(phone.name)">
            <span class="outcome \(outcome)">\(word)</span>
            <a class="subject" href="\(base)/phones/\(phone.name)">\(phone.name)</a>
            <span class="to">\(phone.owner ?? "nobody's")</span>
            <span class="about">\(phone.model.rawValue), \(phone.network.rawValue), \(phone.policy.rawValue)</span>
            </li>
            """
    }
}
