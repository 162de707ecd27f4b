import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /devices?platform=&kind=&user=&state=&q=&create=`: the people of all platforms with their newest records, filtered; and the form that creates
    /// something, named by platform and kind: `create=powerauth/registration`.
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
            state: form["state"] ?? "", text: (form["q"] ?? "").trimmed,
            search: form.search("q", isTyped: true))
        let all = try recordWatch(world).all()
        let makers = try info.platforms.flatMap { type in
            try world.newRecords(of: type).map { RecordsPage.Maker(platform: type, new: $0) }
        }
        var page = RecordsPage(
            base: request.mount, choice: choice, all: all, makers: makers, refused: refused, info: info)
        (page.people, page.creating) = (try world.people.all(), form["create"])
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
        case .transaction(let transaction): TransactionLine.path(transaction.id)
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
            query.state = state.isEmpty ? nil : state
            query.text = search
            query.limit = .max
            return query
        }

        /// Whether anything is left out.
        var isSet: Bool { ![platform, kind, user, state, text].allSatisfy(\.isEmpty) }
    }

    /// A form that makes something.
    struct Maker {
        let platform: any Platform.Type
        let new: NewRecord

        /// As the address of the page names it.
        var name: String { platform.name + "/" + new.kind }
    }

    /// A form that came and was refused.
    struct Refused {
        let sentence: String
        let platform: String
        let kind: String
        let inputs: [String: String]
    }

    /// Owners that are shown.
    private static let ownerLimit = 100
    /// Records of one owner that are shown; all where somebody looked for something.
    private static let recordLimit = 20
    /// Records of all that are shown.
    private static let lineLimit = 600

    let base: String
    let choice: Choice
    /// Newest first.
    let all: [ConsoleRecord]
    let makers: [Maker]
    let refused: Refused?
    let info: ConsoleInfo
    /// The cast.
    var people: [Person] = []
    /// ``Maker/name`` of the form that is asked for.
    var creating: String?

    var html: HTML {
        let (owners, others) = chosen
        let hasNone = owners.isEmpty && others.isEmpty
        return """
            <div class="devices" data-page="devices">
            <header class="lead">
            <h1>People and devices</h1>
            \(form)
            \(menu)
            </header>
            \([refusal, maker].filter { $0 != HTML.none })
            <ol class="records people" id="records">
            \(rows(owners, others))
            </ol>
            <div class="empty" id="records-empty"\(.hidden(!all.isEmpty))>
            <h2>No users or devices yet</h2>
            <p>Everything that a platform stores, such as a device registration, appears here as soon as an app or a back end creates it, with its \
            history and its actions.\(makers.isEmpty ? "" : " You can also create one with the button above.")</p>
            </div>
            <div class="empty" id="records-nothing"\(.hidden(all.isEmpty || !hasNone))>
            <h2>No matches</h2>
            <p>Nothing matches this filter. <a href="\(base)/devices">Show everything</a></p>
            </div>
            </div>
            """
    }

    /// Sorted before they are filtered: what is left out may say whose the rest is.
    private var chosen: (owners: [RecordOwner], others: [ConsoleRecord]) {
        let (owners, others) = RecordOwner.sorted(all, people: people)
        let query = choice.query
        let fitting = owners.filter { choice.user.isEmpty || $0.isCalled(choice.user) }.compactMap {
            $0.keeping(query.fits)
        }
        return (fitting, choice.user.isEmpty ? query.chosen(from: others) : [])
    }

    private func title(_ platform: String) -> String {
        info.platforms.first { $0.name == platform }?.title ?? platform
    }

    private func rows(_ owners: [RecordOwner], _ others: [ConsoleRecord]) -> [HTML] {
        var left = Self.lineLimit
        func lines(_ records: [ConsoleRecord], atMost limit: Int) -> [HTML] {
            let shown = records.prefix(min(limit, left))
            left -= shown.count
            return shown.map { RecordLine(record: $0, base: base, platform: title($0.platform)).html }
        }
        let limit = choice.isSet ? Self.lineLimit : Self.recordLimit
        let people = owners.prefix(Self.ownerLimit).map { row($0, lines($0.records, atMost: limit)) }
        if others.isEmpty { return people }
        let kinds = "applications, clients and servers"
        return people + [
            group("nobody", "Without a user", "", kinds, others, lines(others, atMost: Self.lineLimit), nil)
        ]
    }

    private func row(_ owner: RecordOwner, _ lines: [HTML]) -> HTML {
        let platforms = Set(owner.records.map(\.platform))
        let titles = info.platforms.filter { platforms.contains($0.name) }.map { $0.title }
        let key: String = owner.address ?? owner.name
        let address: String = key == owner.name ? "" : key
        let all: String = base + "/devices?user=" + key.percentEncoded
        return group(
            "person/" + key, owner.name, address, titles.joined(separator: ", "), owner.records, lines, all)
    }

    /// A row that opens; it is open where somebody looked for something.
    ///
    /// - Parameter all: where there are more than these lines.
    private func group(
        _ id: String, _ name: String, _ address: String, _ about: String, _ records: [ConsoleRecord],
        _ lines: [HTML], _ all: String?
    ) -> HTML {
        let more = all.flatMap { address -> HTML? in
            lines.count == records.count
                ? nil : "<p class=\"more\"><a href=\"\(address)\">All \(records.count) of \(name)</a></p>"
        }
        return """
            <li class="person" data-id="\(id)">
            <details\(choice.isSet ? " open" : "" as HTML)>
            <summary><b>\(name)</b> <span class="to">\(address)</span> <span class="about">\(about)</span> \
            <span class="about">\(RecordWords.counted(records))</span></summary>
            <ol>
            \(lines)
            </ol>
            \([more].compactMap(\.self))
            </details>
            </li>
            """
    }

    private var refusal: HTML {
        refused.map { "<p class=\"refusal\" role=\"alert\">\($0.sentence)</p>" } ?? .none
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
