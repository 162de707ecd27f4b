import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /devices?platform=&kind=&user=&state=&q=`: the newest records of all platforms, filtered.
    func records(_ world: World, _ request: Request) throws -> Page {
        try records(world, request, refused: nil)
    }

    /// `POST /devices` with `platform=…&kind=…&input.NAME=…`, as a form of the page sends it: makes something.
    ///
    /// - Response: `303` to its page; the list with the reason when it is refused.
    func makeFromForm(_ world: World, _ request: Request) throws -> Response {
        let form = request.form
        let (platform, kind) = (form["platform"] ?? "", form["kind"] ?? "")
        let inputs = RecordForm.values(form)
        do {
            let made = try make(kind, at: try requirePlatform(platform), inputs, in: world)
            return Self.seeOther(request.mount + made.page)
        } catch {
            guard let (status, sentence) = Self.pageRefusal(error) else { throw error }
            let refused = RecordsPage.Refused(
                sentence: sentence, platform: platform, kind: kind, inputs: inputs)
            var page = try records(world, request, refused: refused)
            page.status = status
            return render(page, request, in: world)
        }
    }

    private func records(
        _ world: World, _ request: Request, refused: RecordsPage.Refused?
    ) throws -> Page {
        let form = request.queryItems
        let choice = try RecordsPage.Choice(
            platform: form["platform"] ?? "", kind: form["kind"] ?? "", user: form["user"] ?? "",
            state: form["state"] ?? "", text: OutboxPage.trimmed(form["q"] ?? ""),
            search: form.search("q", isTyped: true))
        let all = try recordWatch(world).all()
        let makers = try info.platforms.flatMap { type in
            try world.newRecords(of: type).map { RecordsPage.Maker(platform: type, new: $0) }
        }
        let page = RecordsPage(
            base: request.mount, choice: choice, all: all, makers: makers, refused: refused, info: info)
        return Page(title: "People and devices", tab: .people, hasForms: true, main: page.html)
    }

    static func seeOther(_ place: String) -> Response {
        Response(status: .seeOther, headers: ["Location": place, "Cache-Control": "no-store"])
    }

    /// Status and sentence of a page that tells why something was not done; nil for an error that is none of that.
    ///
    /// - Throws: ``PageMissing`` for what is not there.
    static func pageRefusal(_ error: any Error) -> (Status, String)? {
        switch error {
        case let refusal as RecordRefusal: (status(of: refusal), refusal.explanation)
        case ControlError.refused(let sentence): (.conflict, sentence)
        case let error as ControlError where error.status == .badRequest: (.badRequest, error.detail)
        default: nil
        }
    }
}

extension Console.Made {
    /// Where the pages show it.
    fileprivate var page: String {
        switch self {
        case .record(let record): RecordLine.path(record)
        case .transaction(let transaction): "/transactions#" + TransactionLine.anchor(transaction.id)
        }
    }
}

/// What the list of records shows.
struct RecordsPage {
    /// The values of the form; an empty one filters nothing.
    struct Choice {
        var platform = ""
        var kind = ""
        var user = ""
        var state = ""
        var text = ""
        /// The same, to look for.
        var search: TextSearch?

        var query: RecordQuery {
            var query = RecordQuery()
            query.platform = platform.isEmpty ? nil : platform
            query.kind = kind.isEmpty ? nil : kind
            query.user = user.isEmpty ? nil : user
            query.state = state.isEmpty ? nil : state
            query.text = search
            query.limit = RecordsPage.limit
            return query
        }
    }

    /// A form that makes something.
    struct Maker {
        let platform: any Platform.Type
        let new: NewRecord
    }

    /// A form that came and was refused.
    struct Refused {
        let sentence: String
        let platform: String
        let kind: String
        let inputs: [String: String]
    }

    private static let limit = 100

    let base: String
    let choice: Choice
    /// Newest first.
    let all: [ConsoleRecord]
    let makers: [Maker]
    let refused: Refused?
    let info: ConsoleInfo

    var html: HTML {
        let shown = choice.query.chosen(from: all)
        return """
            <div class="devices" data-page="devices">
            <header class="lead">
            <h1>People and devices</h1>
            \(form)
            <p class="more"><a href="\(base)/mint">Mint a token</a></p>
            </header>
            \([refusal, forms].filter { $0 != HTML.none })
            <ol class="records" id="records">
            \(shown.map { RecordLine(record: $0, base: base, platform: title($0.platform)).html })
            </ol>
            <div class="empty" id="records-empty"\(.hidden(!all.isEmpty))>
            <h2>No users or devices yet</h2>
            <p>Everything that a platform stores, such as a device registration, appears here as soon as an app or a back end creates it, with its \
            history and its actions.\(makers.isEmpty ? "" : " You can also create one with a form above.")</p>
            </div>
            <div class="empty" id="records-nothing"\(.hidden(all.isEmpty || !shown.isEmpty))>
            <h2>No matches</h2>
            <p>Nothing matches this filter. <a href="\(base)/devices">Show everything</a></p>
            </div>
            </div>
            """
    }

    private func title(_ platform: String) -> String {
        info.platforms.first { $0.name == platform }?.title ?? platform
    }

    private var refusal: HTML {
        refused.map { "<p class=\"refusal\" role=\"alert\">\($0.sentence)</p>" } ?? .none
    }

    /// One that was refused stands open, with what was typed.
    private var forms: HTML {
        if makers.isEmpty { return .none }
        return """
            <ul class="makers">
            \(makers.map { maker($0) })
            </ul>
            """
    }

    private func maker(_ maker: Maker) -> HTML {
        let (name, new) = (maker.platform.name, maker.new)
        let own = refused.flatMap { $0.platform == name && $0.kind == new.kind ? $0 : nil }
        let fields = RecordForm(inputs: new.inputs, typed: own?.inputs).html
        return """
            <li class="maker">
            <details\(own == nil ? "" : " open" as HTML)>
            <summary>\(new.title) <span class="about">\(maker.platform.title)</span></summary>
            <form class="inputs" action="\(base)/devices" method="post" aria-label="\(new.title), \(maker.platform.title)">
            <input type="hidden" name="platform" value="\(name)">
            <input type="hidden" name="kind" value="\(new.kind)">
            \(fields + ["<button class=\"primary\" type=\"submit\">\(new.title)</button>"])
            </form>
            </details>
            </li>
            """
    }

    private var form: HTML {
        let platforms = HTML.options(
            [("", "All")]
                + info.platforms.filter { card in all.contains { $0.platform == card.name } }
                .map { ($0.name, $0.title) }, chosen: choice.platform)
        let kinds = HTML.options([("", "All")] + distinct(\.kind), chosen: choice.kind)
        let words = Set(all.map { RecordWords.word($0.state) }).sorted().map { ($0, $0) }
        let states = HTML.options([("", "All")] + words, chosen: RecordWords.word(choice.state))
        return """
            <form class="filters" role="search" action="\(base)/devices" method="get">
            <label class="field"><span>Platform</span> <select name="platform">\(platforms)</select></label>
            <label class="field"><span>Kind</span> <select name="kind">\(kinds)</select></label>
            <label class="field"><span>State</span> <select name="state">\(states)</select></label>
            <label class="field"><span>User</span> <input name="user" value="\(choice.user)" placeholder="User id" \
            autocomplete="off" spellcheck="false"></label>
            <label class="field grow"><span>Search</span> <input type="search" name="q" value="\(choice.text)" maxlength="\(TextSearch.longestWords)" \
            placeholder="Name, id or any fact" autocomplete="off" spellcheck="false"></label>
            <button type="submit">Filter</button>
            </form>
            """
    }

    private func distinct(_ value: (ConsoleRecord) -> String) -> [(value: String, title: String)] {
        Set(all.map(value)).sorted().map { ($0, RecordWords.word($0)) }
    }
}
