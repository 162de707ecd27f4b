import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /transactions?open=&user=`: the newest transactions of all platforms, filtered.
    func transactions(_ world: World, _ request: Request) throws -> Page {
        let form = request.queryItems
        let choice = TransactionsPage.Choice(open: form["open"] ?? "", user: form["user"] ?? "")
        let all = try watch(world).all()
        let page = TransactionsPage(
            base: request.mount, now: world.clock.now, choice: choice,
            transactions: choice.query.chosen(from: all), hasAny: !all.isEmpty, info: info,
            steps: FirstSteps(info.platforms, WorldAddresses(request, info), in: world.name, people: []),
            enrolments: try enrolments(world))
        return Page(title: "Waiting", tab: .waiting, main: page.html)
    }
}

/// The list of transactions.
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
    let info: ConsoleInfo
    let steps: FirstSteps
    /// Records with a code that nobody has scanned yet, newest first.
    var enrolments: [ConsoleRecord] = []

    var html: HTML {
        """
        <div class="transactions" data-page="transactions">
        <header class="lead">
        <h1>Waiting</h1>
        \(form)
        </header>
        <ol class="records" id="transactions">
        \(transactions.map { line($0) })
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

    private func line(_ transaction: Transaction) -> HTML {
        let about = "\(transaction.kind) · \(title(transaction.platform))"
        let user: HTML =
            transaction.user.map { "<span class=\"to\" title=\"\($0)\">\($0)</span>" }
            ?? "<span class=\"to\"></span>"
        return """
            <li class="record" id="\(TransactionLine.anchor(transaction.id))" data-id="\(transaction.id)">
            \(TransactionLine.standing(transaction))
            <a class="subject" href="\(base + TransactionLine.path(transaction.id))">\(TransactionLine.title(transaction))</a>
            \(user)
            <span class="about">\(about)</span>
            \(TransactionLine.left(transaction, at: now) ?? .time(Timestamp.text(transaction.createdAt)))
            </li>
            """
    }

    private func title(_ platform: String) -> String {
        info.platforms.first { $0.name == platform }?.title ?? platform
    }

    /// Enrolments, which nobody decides but a phone that scans their code.
    private var waiting: [HTML] {
        guard !enrolments.isEmpty else { return [] }
        let lines = enrolments.map { RecordLine(record: $0, base: base, platform: title($0.platform)).html }
        return ["<h2>Codes waiting for a phone</h2>", "<ol class=\"records\">\n\(lines)\n</ol>"]
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
