import Essentials
import HTTP
import PlatformKit

/// The markup of one line of the journal.
struct EntryLine {
    let group: EntryGroup
    let base: String

    var html: HTML {
        guard let request = group.request, let exchange = request.exchange else {
            return """
                <li class="entry lone" data-id="\(group.id)">
                \(group.events.map { event in "<p class=\"event\">\(Self.sentence(event)) \(Self.time(event))</p>" as HTML })
                </li>
                """
        }
        return """
            <li class="entry" data-id="\(group.id)">
            <div class="line">
            \(line(request, exchange))
            </div>
            \(events)
            </li>
            """
    }

    private func line(_ entry: JournalEntry, _ exchange: JournalEntry.Exchange) -> [HTML] {
        var parts: [HTML] = [
            "<span class=\"outcome \(Self.outcome(entry, exchange))\">\(Self.status(exchange))</span>",
            "<span class=\"method\">\(exchange.method)</span>",
            """
            <a class="target" href="\(base)/journal/\(entry.id)" title="\(exchange.target)">\(Self.short(exchange.target))</a>
            """,
        ]
        if let platform = entry.platform {
            let mark: HTML =
                entry.upstream.map { "<strong class=\"caution\" title=\"\($0)\">upstream</strong> " } ?? .none
            parts.append("<span class=\"about\">\(mark)\(platform)</span>")
        }
        parts.append("<span class=\"duration\">\(Self.duration(exchange.milliseconds)) ms</span>")
        parts.append(Self.time(entry))
        let explanation = entry.explanation ?? ""
        if entry.isBug {
            parts.append("<span class=\"why\"><strong>A bug in Understudy.</strong> \(explanation)</span>")
        } else if !explanation.isEmpty {
            parts.append("<span class=\"why\">\(explanation)</span>")
        }
        return parts
    }

    private var events: HTML {
        if group.events.isEmpty { return "" }
        return """
            <ul class="events">
            \(group.events.map { event in "<li class=\"event\">\(Self.sentence(event))</li>" as HTML })
            </ul>
            """
    }

    static func sentence(_ event: JournalEntry) -> HTML {
        let words = event.event ?? ""
        let look: HTML = words.hasSuffix("failed") || words.hasSuffix("refused") ? " class=\"failed\"" : .none
        let name: HTML = "<b\(look)>\(words)</b>"
        guard let text = event.explanation ?? event.subject else { return name }
        return "\(name) <span class=\"why\">\(text)</span>"
    }

    /// Long hexadecimal and base64url, which nobody reads, in its beginning and its end.
    static func short(_ target: String) -> String {
        target.utf8.count < 60
            ? target
            : target.replacing(/[A-Za-z0-9_%-]{41,}/) { "\($0.output.prefix(10))…\($0.output.suffix(6))" }
    }

    static func time(_ entry: JournalEntry) -> HTML { .time(Timestamp.text(entry.at)) }

    /// There is none where a fault ended the connection without an answer.
    static func status(_ exchange: JournalEntry.Exchange) -> String {
        exchange.status == 0 ? "none" : String(exchange.status)
    }

    static func outcome(_ entry: JournalEntry, _ exchange: JournalEntry.Exchange) -> String {
        if entry.isBug { return "bug" }
        return switch exchange.status {
        case 0: "broken"
        case ..<300: exchange.isRefused ? "refused" : "good"
        case ..<400: exchange.isRefused ? "refused" : "moved"
        case ..<500: "refused"
        default: "broken"
        }
    }

    /// One decimal below ten, else whole.
    static func duration(_ milliseconds: Double) -> String {
        guard milliseconds.isFinite, milliseconds < 1e9 else { return "0" }
        if milliseconds >= 10 { return String(Int(saturating: milliseconds, .toNearestOrAwayFromZero)) }
        let tenths = Int(saturating: max(0, milliseconds) * 10, .toNearestOrAwayFromZero)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
