import Comparison
import Essentials
import HTTP
import PlatformKit

/// What the page of the comparison shows.
struct ComparePage {
    static let flowLimit = 30
    private static let exchangeLimit = 300

    struct FlowPair {
        let flow: Flow
        let address: String
    }

    let base: String
    let state: ComparisonCenter.State
    let platforms: [any Platform.Type]
    let refusal: String?
    /// The outcome that alone is shown; empty for all.
    let shown: String
    let flows: [FlowPair]
    /// Where the pages of a world are.
    let mounts: (String) -> String

    var html: HTML {
        """
        <div class="compare" data-page="compare" data-state="\(stateName)">
        <header class="lead">
        <h1>Compare</h1>
        <p>Play a recording of the real service here, in two worlds of its own, and see where our answers differ.</p>
        </header>
        \(refusal.map { "<p class=\"refusal\" role=\"alert\">\($0)</p>" } ?? HTML.none)
        \(news)
        </div>
        """
    }

    private var stateName: String {
        switch state {
        case .none: "none"
        case .running: "running"
        case .failed: "failed"
        case .done: "done"
        }
    }

    private var news: HTML {
        switch state {
        case .none: "\([CompareForm(base: base, platforms: platforms).html, empty])"
        case .running(let job): running(job)
        case .failed(let name, let sentence):
            """
            <p class="refusal" role="alert">\(name) could not be compared: \(sentence)</p>
            \(CompareForm(base: base, platforms: platforms).html)
            """
        case .done(let name, let outcome): done(name, outcome)
        }
    }

    private var empty: HTML {
        """
        <div class="empty" id="compare-empty">
        <h2>No comparison yet</h2>
        <p>The report will stand here, with each recorded request beside ours. Without a server the command does the same:</p>
        <pre class="shell" data-copy>understudy compare session.har</pre>
        </div>
        """
    }

    private func running(_ job: ComparisonJob) -> HTML {
        let (done, total) = job.count
        let words = total == 0 ? "The recording is being read." : "\(done) of \(total) requests are played."
        return """
            <section class="panel" aria-labelledby="running-title">
            <h2 id="running-title">Comparing \(job.order.name)</h2>
            <p id="progress" role="status">\(words)</p>
            <progress aria-labelledby="running-title" max="\(max(total, 1))" value="\(done)"></progress>
            <p class="more"><a href="\(base)/compare">Show how far it is</a></p>
            <form class="controls" action="\(base)/compare" method="post">
            <button name="action" value="stop">Stop comparing</button>
            </form>
            </section>
            """
    }

    private func done(_ name: String, _ outcome: ComparisonOutcome) -> HTML {
        "\([summary(name, outcome)] + differences(outcome) + [made(outcome), remarks(outcome), exchanges(outcome), runs(outcome), again(outcome)].filter { $0 != .none })"
    }

    private func summary(_ name: String, _ outcome: ComparisonOutcome) -> HTML {
        let report = outcome.report
        let coverage = report.platforms.map { "<li>\(report.coverage(of: $0))</li>" as HTML }
        let links = outcome.files.map { file in
            "<a href=\"\(base)\(Console.root)/comparison/\(file.name)\" download>\(file.title)</a>" as HTML
        }
        let word: HTML =
            report.differenceCount == 0
            ? "<span class=\"outcome good\">nothing differs</span>"
            : "<span class=\"outcome refused\">\(report.differenceCount) \(report.differenceCount == 1 ? "difference" : "differences")</span>"
        return """
            <section class="panel" aria-labelledby="summary-title">
            <h2 id="summary-title">\(name)</h2>
            <p>\(word)</p>
            <ul>
            \(coverage)
            </ul>
            <p class="more">\(links.isEmpty ? .none : "\(links)")</p>
            </section>
            """
    }

    // MARK: - What differs

    private func differences(_ outcome: ComparisonOutcome) -> [HTML] {
        outcome.report.routes.filter { !$0.seen.isEmpty || !$0.notComparable.isEmpty }.enumerated().map {
            index, route in
            let lines = route.seen.map { seen in
                """
                <li>
                <p>\(seen.allowed == nil ? .none : "Allowed: " as HTML)\(seen.difference.sentence) \(numbers(seen.numbers))</p>
                \(sides(seen))
                </li>
                """ as HTML
            }
            let reasons = route.notComparable.map {
                "<li>Not comparable: \($0.reason) \(numbers($0.numbers))</li>" as HTML
            }
            return """
                <section class="panel" aria-labelledby="route-\(index)">
                <h2 id="route-\(index)"><code>\(route.name)</code></h2>
                <p class="about">\(route.state.rawValue), \(route.requests == 1 ? "1 request" : "\(route.requests) requests")</p>
                <ul class="column">
                \(lines + reasons)
                </ul>
                </section>
                """
        }
    }

    private func sides(_ seen: Report.Seen) -> HTML {
        let difference = seen.difference
        var facts: [(name: String, value: HTML)] = []
        if !difference.recorded.isEmpty { facts.append(("Recorded", "<code>\(difference.recorded)</code>")) }
        if !difference.ours.isEmpty { facts.append(("Understudy", "<code>\(difference.ours)</code>")) }
        if let why = seen.allowed, !why.isEmpty { facts.append(("Why", "\(why)")) }
        return facts.isEmpty ? .none : .facts(facts, [])
    }

    private func numbers(_ numbers: [Int]) -> HTML {
        let shown = numbers.prefix(5).map { "<a href=\"\(base)/compare/\($0)\">#\($0)</a>" as HTML }
        let rest = numbers.count > 5 ? " and \(numbers.count - 5) more" : ""
        return "\(shown)\(rest)"
    }

    private func made(_ outcome: ComparisonOutcome) -> HTML {
        if outcome.report.made.isEmpty { return .none }
        return """
            <section class="panel" aria-labelledby="made-title">
            <h2 id="made-title">\(Report.madeTitle)</h2>
            \(outcome.report.made.map { "<p>\($0.sentence)</p>\n<pre class=\"shell\" data-copy>\($0.line)</pre>" as HTML })
            </section>
            """
    }

    private func remarks(_ outcome: ComparisonOutcome) -> HTML {
        let report = outcome.report
        let needs = report.needs.map {
            "<p>\($0.sentence)</p>\n<pre class=\"shell\" data-copy>\($0.line)</pre>" as HTML
        }
        let lines = needs + report.notes.map { "<p>\($0)</p>" as HTML }
        if lines.isEmpty { return .none }
        return """
            <section class="panel" aria-labelledby="remarks-title">
            <h2 id="remarks-title">Remarks</h2>
            \(lines)
            </section>
            """
    }

    // MARK: - What was played

    private func exchanges(_ outcome: ComparisonOutcome) -> HTML {
        let fitting = outcome.exchanges.filter { shown.isEmpty || $0.outcome.rawValue == shown }
        let hidden = fitting.count - min(fitting.count, Self.exchangeLimit)
        let choices = [("", "All")] + ComparedExchange.Outcome.allCases.map { ($0.rawValue, $0.rawValue) }
        return """
            <section class="column" aria-labelledby="exchanges-title">
            <h2 id="exchanges-title">Requests</h2>
            <form class="filters" action="\(base)/compare" method="get" aria-label="Requests">
            <label class="field"><span>Outcome</span> <select name="show">\(.options(choices, chosen: shown))</select></label>
            <button>Filter</button>
            </form>
            <ol class="records" id="exchanges">
            \(fitting.prefix(Self.exchangeLimit).map(line))
            </ol>
            <p class="hint"\(.hidden(hidden == 0))>\(hidden) more are not shown.</p>
            </section>
            """
    }

    private func line(_ exchange: ComparedExchange) -> HTML {
        """
        <li class="record" data-id="\(exchange.number)">
        <span class="outcome \(exchange.outcome.tone)">\(exchange.outcome.rawValue)</span>
        <a class="subject" href="\(base)/compare/\(exchange.number)">\(exchange.title)</a>
        <span class="to">\(exchange.statuses.recorded)\(exchange.statuses.ours.map { " recorded, \($0) here" } ?? " recorded")</span>
        <span class="about">#\(exchange.number)</span>
        \(.time(Timestamp.text(exchange.at)))
        </li>
        """
    }

    private func runs(_ outcome: ComparisonOutcome) -> HTML {
        let links = outcome.worlds.map { name in
            "<a href=\"\(mounts(name))/flows\">Flows of \(name)</a> <a href=\"\(mounts(name))/journal\">Journal of \(name)</a>"
                as HTML
        }
        let lines = flows.map { pair in
            """
            <li><a href="\(pair.address)">\(pair.flow.title)</a> <span class="about">\(pair.flow.extent)</span></li>
            """ as HTML
        }
        return """
            <section class="panel" aria-labelledby="runs-title">
            <h2 id="runs-title">Flows of both runs</h2>
            <p class="hint">The worlds stay until the next comparison, or until this one is discarded. Each flow is shown beside that of the other run.</p>
            \(lines.isEmpty ? .none : "<ul>\n\(lines)\n</ul>" as HTML)
            <p class="more">\(links)</p>
            <form class="controls" action="\(base)/compare" method="post">
            <button class="grave" name="action" value="discard" data-ask="Discard this comparison? Its report and the worlds \(outcome.worlds.joined(separator: " and ")) will be lost.">Discard comparison</button>
            </form>
            </section>
            """
    }

    private func again(_: ComparisonOutcome) -> HTML {
        CompareForm(base: base, platforms: platforms, title: "Compare another recording").html
    }
}

extension ComparedExchange.Outcome {
    /// The colour and shape of its word.
    var tone: String {
        switch self {
        case .agrees: "good"
        case .differs, .notEmulated: "refused"
        case .notComparable, .elsewhere: "moved"
        }
    }
}
