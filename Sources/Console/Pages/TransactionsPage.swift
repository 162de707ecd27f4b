import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /transactions?open=&user=`: the newest transactions of all platforms, filtered.
    func transactions(_ world: World, _ request: Request) throws -> Page {
        try transactions(world, request, refusal: nil)
    }

    /// `POST /transactions/ID` with `action=…`, as a button of the page sends it: does the action and shows the page again.
    ///
    /// - Response: `303` to the transaction on the page; the page with the reason when the platform refuses.
    func decide(_ world: World, _ request: Request) throws -> Response {
        let id = request.parameter("id")
        do {
            _ = try perform(request.form["action"] ?? "", on: id, in: world)
        } catch let refusal as TransactionRefusal {
            return try refused(refusal.explanation, world, request)
        } catch ControlError.refused(let sentence) {
            return try refused(sentence, world, request)
        } catch ControlError.absent(let sentence) {
            throw PageMissing(sentence: sentence)
        }
        let place = request.mount + "/transactions#" + TransactionLine.anchor(id)
        return Response(status: .seeOther, headers: ["Location": place, "Cache-Control": "no-store"])
    }

    private func refused(_ sentence: String, _ world: World, _ request: Request) throws -> Response {
        var page = try transactions(world, request, refusal: sentence)
        page.status = .conflict
        return render(page, request, in: world)
    }

    private func transactions(_ world: World, _ request: Request, refusal: String?) throws -> Page {
        let form = request.queryItems
        let choice = TransactionsPage.Choice(open: form["open"] ?? "", user: form["user"] ?? "")
        let all = try watch(world).all()
        let page = TransactionsPage(
            base: request.mount, now: world.clock.now, choice: choice,
            transactions: choice.query.chosen(from: all), hasAny: !all.isEmpty, refusal: refusal,
            info: info,
            steps: FirstSteps(info.platforms, WorldAddresses(request, info), in: world.name, people: []),
            phones: try phoneNames(world), asked: try askedPhones(world), enrolments: try enrolments(world))
        return Page(title: "Waiting", tab: .waiting, hasForms: true, main: page.html)
    }
}

/// What the list of transactions shows.
struct TransactionsPage {
    /// The values of the form; an empty one filters nothing.
    struct Choice {
        /// `true`, `false` or nothing.
        var open = ""
        var user = ""

        var query: TransactionQuery {
            var query = TransactionQuery()
            query.isOpen = Bool(open)
            query.user = user.isEmpty ? nil : user
            query.limit = TransactionsPage.limit
            return query
        }
    }

    private static let limit = 50

    let base: String
    /// The world's time.
    let now: Date
    let choice: Choice
    /// Newest first, those that fit.
    let transactions: [Transaction]
    /// Whether there are transactions at all.
    let hasAny: Bool
    /// Why the action that was asked for was not done.
    let refusal: String?
    let info: ConsoleInfo
    let steps: FirstSteps
    /// Names of the phones.
    var phones: [String] = []
    /// Where transactions wait for an answer, by their ids.
    var asked: [String: [PhoneRequestPlace]] = [:]
    /// Records with a code that nobody has scanned yet, newest first.
    var enrolments: [ConsoleRecord] = []

    var html: HTML {
        """
        <div class="transactions" data-page="transactions">
        <header class="lead">
        <h1>Waiting</h1>
        \(form)
        </header>
        \(refusal.map { "<p class=\"refusal\" role=\"alert\">\($0)</p>" } ?? HTML.none)
        <ol class="decisions" id="transactions">
        \(lines)
        </ol>
        <div id="enrolments">
        \(waiting)
        </div>
        <div class="empty" id="transactions-empty"\(.hidden(hasAny))>
        <h2>No transactions yet</h2>
        <p>What a portal starts and a device confirms appears here with its QR code; you can also confirm or deny it here, without a device. \
        This command starts one and shows its QR code in the terminal:</p>
        \(steps.decide)
        </div>
        <div class="empty" id="transactions-nothing"\(.hidden(!hasAny || !transactions.isEmpty))>
        <h2>No matches</h2>
        <p>No transaction matches this filter. <a href="\(base)/transactions">Show all transactions</a></p>
        </div>
        </div>
        """
    }

    /// The newest that is open stands unfolded: it is most likely the one to be scanned now.
    private var lines: [HTML] {
        let unfolded = transactions.first { $0.isOpen }?.id
        return transactions.map { transaction in
            let platform = info.platforms.first { $0.name == transaction.platform }
            return TransactionLine(
                transaction: transaction, base: base, now: now,
                platform: platform?.title ?? transaction.platform,
                mount: info.mount(of: transaction.platform),
                isUnfolded: transaction.id == unfolded, phones: phones,
                asked: transaction.isOpen ? asked[transaction.id] ?? [] : []
            ).html
        }
    }

    /// Enrolments, which nobody decides but a phone that scans their code.
    private var waiting: [HTML] {
        guard !enrolments.isEmpty else { return [] }
        let lines = enrolments.map { record in
            let platform = info.platforms.first { $0.name == record.platform }?.title ?? record.platform
            let address = "\(base)/devices/\(record.platform)/\(record.id.percentEncoded)"
            return """
                <li class="decision" data-id="\(record.id)">
                <p class="enrolment"><a href="\(address)">\(record.title)</a> \
                <span class="about">\(record.kind) · \(platform)\(record.user.map { " · " + $0 } ?? "")</span></p>
                \(HTML.scanners(record.code ?? "", base: base, phones: phones))
                </li>
                """ as HTML
        }
        return ["<h2>Codes waiting for a phone</h2>", "<ol class=\"decisions\">\n\(lines)\n</ol>"]
    }

    private var form: HTML {
        let options = HTML.options(
            [("", "All"), ("true", "Open"), ("false", "Settled")], chosen: choice.open)
        return """
            <form class="filters" role="search" action="\(base)/transactions" method="get">
            <label class="field"><span>State</span> <select name="open">\(options)</select></label>
            <label class="field grow"><span>User</span> <input type="search" name="user" value="\(choice.user)" \
            placeholder="User id" autocomplete="off" spellcheck="false"></label>
            <button type="submit">Filter</button>
            </form>
            """
    }
}
