import HTTP
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
            let question = RecordQuestion(
                base: request.mount, record: before, action: action, inputs: inputs)
            return render(question.page, request, in: world)
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
            phones: try phoneNames(world))
        return Page(title: page.title, tab: .devices, hasForms: true, main: page.html)
    }

    private func shownRecord(_ world: World, _ request: Request) throws -> ConsoleRecord {
        do {
            return try requireRecord(world, request)
        } catch ControlError.absent(let sentence) {
            throw PageMissing(sentence: sentence)
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
    /// Names of the phones that could scan its code.
    var phones: [String] = []

    var title: String { record.title.isEmpty ? record.id : record.title }

    /// The script draws each piece anew that has changed.
    var html: HTML {
        """
        <article class="holding" data-page="record" data-platform="\(record.platform)" data-id="\(record.id)">
        <header class="lead">
        <p class="back"><a href="\(base)/devices">Users and devices</a></p>
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
            \(Symbol.html(code, of: record.kind) + HTML.scanners(code, base: base, phones: phones))
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

    /// Where else its user is told of.
    private var related: HTML {
        guard let user = record.user else { return .none }
        let name = user.percentEncoded
        return """
            <p class="more">Of \(user): <a href="\(base)/journal?user=\(name)">journal</a> \
            <a href="\(base)/outbox?q=\(name)">messages</a> <a href="\(base)/devices?user=\(name)">records</a></p>
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
