import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /time`: the world's clock, the ways to move it, and what ends next.
    func timePage(_ world: World, _ request: Request) throws -> Page {
        try timePage(world, request, refused: nil)
    }

    /// `POST /time` with `action=freeze`, `run`, `real`, `step` (and `span`), `set` or `jump` (and `at`), `tokens` (and `times`), as the
    /// forms of the pages send it.
    ///
    /// - Response: `303` to the page `page`; the page of the clock with the reason when it is refused.
    func moveClockFromForm(_ world: World, _ request: Request) throws -> Response {
        let form = request.form
        let back = Self.seeOther(request.mount + Self.section(of: form["page"] ?? "/time"))
        do {
            switch form["action"] {
            case "freeze": try setClock(of: world, ClockRequest(isFrozen: true))
            case "run": try setClock(of: world, ClockRequest(isFrozen: false))
            case "real": try setClock(of: world, ClockRequest(isReal: true))
            case "step":
                let span = try Self.span(form["span"] ?? "")
                return try advanceClock(of: world, seconds: span, at: request.ownURL) { _ in back }
            case "set": try setClock(of: world, ClockRequest(now: Self.moment(form["at"] ?? "")))
            case "jump":
                let end = try Self.moment(form["at"] ?? "")
                let span = end.timeIntervalSince(world.clock.now) + 1
                return try advanceClock(of: world, seconds: span, at: request.ownURL) { _ in back }
            case "tokens": try setClock(of: world, ClockRequest(tokensTellRealTime: form["times"] == "real"))
            default: throw ControlError.refused("There is no such button.")
            }
        } catch {
            let (status, sentence) = try Self.worldRefusal(error)
            var page = try timePage(world, request, refused: sentence, typed: form)
            page.status = status
            return render(page, request, in: world)
        }
        return back
    }

    private static func span(_ text: String) throws -> Double {
        let text = text.trimmed
        if let seconds = TimeSpan.seconds(text.hasPrefix("+") ? String(text.dropFirst()) : text) {
            return seconds
        }
        throw ControlError.parameter("span", expected: "a span such as 90s, 1h30m or -2d", given: "“\(text)”")
    }

    private static func moment(_ text: String) throws -> Date {
        let time = text.trimmed.replacing(" ", with: "T")
        // People leave seconds and the zone out.
        let forms = [time, time + "Z", time + ":00Z", time + "T00:00:00Z"]
        if let time = forms.lazy.compactMap({ Timestamp.parse($0) }).first { return time }
        throw ControlError.parameter("at", expected: "a time such as 2026-01-02 03:04:05", given: "“\(text)”")
    }

    private func timePage(
        _ world: World, _ request: Request, refused: String?, typed: Form? = nil
    ) throws -> Page {
        let kinds = info.platforms.flatMap { type in
            ((type as? any TellsExpiries.Type)?.expiring ?? []).map { (type.title, $0) }
        }
        var ends: [(platform: String, expiry: Expiry)] = []
        for (title, kind) in kinds {
            ends += try world.nextExpiries([kind], limit: TimePage.limit).map { (title, $0) }
        }
        // What a platform tells of itself need not be told of its message again.
        ends += try world.nextExpiries([.messages], limit: TimePage.limit).filter { message in
            !ends.contains {
                $0.expiry.about == message.about && abs($0.expiry.at.timeIntervalSince(message.at)) < 1
            }
        }.map { ("Outbox", $0) }
        let page = TimePage(
            base: request.mount, now: world.clock.now, clock: world.clock.current,
            ends: Array(ends.sorted { $0.expiry.at < $1.expiry.at }.prefix(TimePage.limit)), refusal: refused,
            refused: typed)
        return Page(title: "Time", tab: .time, hasForms: true, main: page.html)
    }
}

/// What the page of the clock shows.
struct TimePage {
    static let limit = 12

    let base: String
    let now: Date
    let clock: WorldClock.Setting
    /// What ends next, each with the title of its platform.
    let ends: [(platform: String, expiry: Expiry)]
    let refusal: String?
    /// What was typed and refused; stands in its field again.
    var refused: Form?

    var html: HTML {
        """
        <div class="time" data-page="time">
        <header class="lead">
        <h1>Time</h1>
        <p>Everything that expires in this world follows its clock.</p>
        </header>
        \(refusal.map { "<p class=\"refusal\" role=\"alert\">\($0)</p>" } ?? HTML.none)
        <div class="pieces" id="pieces">
        \([face, next])
        </div>
        </div>
        """
    }

    private var isFrozen: Bool { clock.frozenAt != nil }

    private var face: HTML {
        let steps = [("+1 min", "1m"), ("+5 min", "5m"), ("+1 h", "1h"), ("+1 day", "1d"), ("−1 h", "-1h")]
            .map { title, span in form(title, "step", ["span": span]) }
        let state =
            isFrozen ? "frozen" : ClockWords.shift(clock).map { "running, \($0)" } ?? "running, real time"
        let shifts: [HTML] = [
            isFrozen ? form("Run", "run") : form("Freeze", "freeze"),
            clock.offsetSeconds == 0 && !isFrozen ? .none : form("Real time", "real"),
        ]
        return """
            <section class="panel" data-piece="clock" aria-labelledby="clock-title">
            <h2 id="clock-title">The world's clock</h2>
            <p class="now">\(.time(Timestamp.text(now))) <span class="clock-state">\(state)</span></p>
            <div class="controls">
            \((shifts + steps).filter { $0 != HTML.none })
            </div>
            \(typed("Move by", "span", "1h30m, 2d, -90s", "step", "Move"))
            \(typed("Set to (UTC)", "at", "2026-12-31 23:59:50", "set", "Set"))
            \(tokens)
            </section>
            """
    }

    private var tokens: HTML {
        let isReal = clock.issuesAtRealTime
        return """
            <p class="hint">Tokens have \(isReal ? "the real time" : "the world's time") in iat and nbf. A library with a real clock refuses what \
            lies in its future.</p>
            \(form(isReal ? "Use the world's time in tokens" : "Use the real time in tokens", "tokens", ["times": isReal ? "world" : "real"]))
            """
    }

    private var next: HTML {
        let lines = ends.map { platform, expiry in
            """
            <li class="ending" data-id="\(platform) \(expiry.what) \(expiry.about ?? "") \(Timestamp.text(expiry.at))">
            <span class="subject">\(expiry.what.prefix(1).uppercased() + expiry.what.dropFirst())</span>
            <span class="to">\(expiry.about ?? "")</span>
            <span class="about">\(platform)</span>
            \(.time(Timestamp.text(expiry.at)))
            \(form("Jump past it", "jump", ["at": Timestamp.text(expiry.at)], hears: "Jump to just after this expires: \(expiry.what) \(expiry.about ?? "")"))
            </li>
            """ as HTML
        }
        return """
            <section class="panel" data-piece="next" aria-labelledby="next-title">
            <h2 id="next-title">Next to expire</h2>
            \(lines.isEmpty ? ["<p class=\"hint\">Nothing is about to expire.</p>"] : ["<ol class=\"endings\">\n\(lines)\n</ol>"])
            </section>
            """
    }

    /// A form of one button.
    private func form(
        _ title: String, _ action: String, _ values: KeyValuePairs<String, String> = [:],
        hears name: String? = nil
    ) -> HTML {
        let hidden = values.map { "<input type=\"hidden\" name=\"\($0)\" value=\"\($1)\">" as HTML }
        let label: HTML = name.map { " aria-label=\"\($0)\"" } ?? .none
        return """
            <form action="\(base)/time" method="post">\(hidden + ["<input type=\"hidden\" name=\"page\" value=\"/time\">"])\
            <button name="action" value="\(action)"\(label)>\(title)</button></form>
            """
    }

    private func typed(
        _ title: String, _ name: String, _ example: String, _ action: String, _ button: String
    ) -> HTML {
        let value = refused?["action"] == action ? refused?[name] ?? "" : ""
        return """
            <form class="inputs" action="\(base)/time" method="post" aria-label="\(title)">
            <input type="hidden" name="page" value="/time">
            <label class="field"><span>\(title)</span> <input name="\(name)" value="\(value)" placeholder="\(example)" maxlength="255" required \
            autocomplete="off" spellcheck="false"></label>
            <button name="action" value="\(action)">\(button)</button>
            </form>
            """
    }
}
