import HTTP
import Phone
import PlatformKit

extension Console {
    /// `GET /devices/PLATFORM/ID`: one record, with all that is known of it and all that can be done to it.
    func record(_ world: World, _ request: Request) throws -> Page {
        try record(world, request, refused: nil)
    }

    /// `POST /devices/PLATFORM/ID` with `action=…&input.NAME=…`, as a form of the page sends it: does the action. One that cannot
    /// be undone is asked back first, until `sure=yes` comes too.
    ///
    /// - Response: `303` to the page of the record, or to the list when it is gone; the page with the reason when it is refused.
    func actFromForm(_ world: World, _ request: Request) throws -> Response {
        let (platform, id) = (request.parameter("platform"), request.parameter("id"))
        let (form, before) = (request.form, try shownRecord(world, request))
        let (name, inputs) = (form["action"] ?? "", RecordForm.values(form))
        if form["sure"] != "yes", let action = before.actions.first(where: { $0.name == name }),
            action.isFinal
        {
            return render(Question(action, on: before, form, base: request.mount).page, request, in: world)
        }
        do {
            let after = try perform(name, onRecord: id, of: platform, inputs, in: world)
            return Self.seeOther(request.mount + (after.map(RecordLine.path) ?? "/devices"))
        } catch {
            guard let (status, sentence) = Self.pageRefusal(error) else { throw error }
            let refused = RecordPage.Refused(sentence: sentence, action: name, inputs: inputs)
            var page = try record(world, request, refused: refused)
            page.status = status
            return render(page, request, in: world)
        }
    }

    private func record(
        _ world: World, _ request: Request, refused: RecordPage.Refused?
    ) throws -> Page {
        let record = try shownRecord(world, request)
        let title = info.platforms.first { $0.name == record.platform }?.title
        let page = RecordPage(
            base: request.mount, record: record, platform: title ?? record.platform, refused: refused,
            phones: try Phones(world).all())
        return Page(title: page.title, tab: .people, hasForms: true, main: page.html)
    }

    private func shownRecord(_ world: World, _ request: Request) throws -> ConsoleRecord {
        do {
            return try requireRecord(world, request)
        } catch ControlError.absent(let sentence) {
            throw PageMissing(sentence: sentence, tab: .people)
        }
    }
}

/// What the page of one record shows.
struct RecordPage {
    /// A form that came and was refused.
    struct Refused {
        let sentence: String
        let action: String
        let inputs: [String: String]
    }

    let base: String
    let record: ConsoleRecord
    /// Title of its platform.
    let platform: String
    let refused: Refused?
    /// Of the world: they could scan its code, and may be its user's.
    var phones: [Phone] = []

    var title: String { record.title.shownTitle }

    /// The script draws each piece anew that has changed.
    var html: HTML {
        """
        <article class="holding" data-page="record" data-platform="\(record.platform)" data-id="\(record.id)">
        <header class="lead">
        <p class="back"><a href="\(base)/devices">People and devices</a></p>
        <h1>\(title)</h1>
        </header>
        \([refusal].filter { $0 != HTML.none })
        <div class="pieces" id="pieces">
        \([standing, code, actions, facts, history].filter { $0 != HTML.none })
        </div>
        </article>
        """
    }

    private var refusal: HTML {
        refused.map { "<p class=\"refusal\" role=\"alert\">\($0.sentence)</p>" } ?? .none
    }

    private var standing: HTML {
        """
        <p class="standing" data-piece="standing">\(RecordLine.standing(record)) \
        <span class="about">\(record.kind) · \(platform)</span></p>
        """
    }

    private var code: HTML {
        guard let code = record.code else { return .none }
        return """
            <section class="panel qr" data-piece="code" aria-labelledby="code-title">
            <h2 id="code-title">QR code</h2>
            \(Symbol.html(code, of: record.kind) + HTML.scanners(code, base: base, phones: phones.map(\.name)))
            </section>
            """
    }

    private var actions: HTML {
        if record.actions.isEmpty { return .none }
        return """
            <section class="panel" data-piece="actions" aria-labelledby="actions-title">
            <h2 id="actions-title">Actions</h2>
            \(record.actions.map { form($0) })
            </section>
            """
    }

    private func form(_ action: ConsoleRecord.Action) -> HTML {
        let typed = refused.flatMap { $0.action == action.name ? $0.inputs : nil }
        let fields = RecordForm(inputs: action.inputs, typed: typed).html
        let look: HTML = action.isFinal ? " class=\"grave\"" : ""
        let final: HTML = action.isFinal ? " data-final" : ""
        let button: HTML = "<button\(look) name=\"action\" value=\"\(action.name)\">\(action.title)</button>"
        return """
            <form class="inputs" action="\(base + RecordLine.path(record))" method="post" aria-label="\(action.title)"\(final)>
            \(fields + [button])
            </form>
            """
    }

    private var facts: HTML {
        let own: [(String, HTML)] = [
            ("Id", "<code data-copy>\(record.id)</code>"), ("User", "\(record.user ?? "nobody")"),
            ("State", "\(record.state)"), ("Created", .time(Timestamp.text(record.createdAt))),
        ]
        return """
            <section class="panel" data-piece="facts" aria-labelledby="facts-title">
            <h2 id="facts-title">Details</h2>
            \(HTML.facts(own, record.facts))
            \(related)
            </section>
            """
    }

    /// Where else it and its user are told of.
    private var related: HTML {
        let naming: HTML =
            "<p class=\"more\">Mentions of this id: <a href=\"\(base)/journal?q=\(record.id.percentEncoded)\">Journal</a></p>"
        guard let user = record.user else { return naming }
        let name = user.percentEncoded
        let phone = phones.first { [$0.owner, $0.mail].contains(user) }.map { phone in
            " <a href=\"\(base)/phones/\(phone.name)\">Phone</a>" as HTML
        }
        return """
            \(naming)
            <p class="more">More of \(user): <a href="\(base)/flows?user=\(name)">Flows</a> \
            <a href="\(base)/journal?user=\(name)">Journal</a> <a href="\(base)/outbox?q=\(name)">Messages</a>\(phone ?? .none) \
            <a href="\(base)/devices?user=\(name)">Records</a></p>
            """
    }

    private var history: HTML {
        if record.steps.isEmpty { return .none }
        return """
            <section class="panel" data-piece="history" aria-labelledby="history-title">
            <h2 id="history-title">History</h2>
            \(HTML.steps(record.steps))
            </section>
            """
    }
}

extension Question {
    /// Before an action on a record.
    ///
    /// - Parameter form: as it was sent.
    init(_ action: ConsoleRecord.Action, on record: ConsoleRecord, _ form: Form, base: String) {
        let path = base + RecordLine.path(record)
        let whose = record.user.map { " of <b>\($0)</b>" as HTML } ?? .none
        self.init(
            title: action.title,
            sentence:
                "This concerns <b>\(record.title.shownTitle)</b>\(whose), and cannot be undone.",
            path: path, form: form, back: path, tab: .people)
    }
}
