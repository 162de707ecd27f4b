import Essentials
import HTTP
import PlatformKit

/// A flow as SVG that needs no script: its text can be selected, its colours follow the page, and what is drawn leads to its entry.
struct FlowDrawing {
    private static let top = 52.0
    /// Where the lifelines begin: left of it stands the time.
    private static let margin = 76.0
    private static let character = 6.9
    private static let columns = 150.0...340.0
    private static let noteCharacters = 44

    private let chart: FlowChart
    /// What the links of entries begin with.
    private let base: String
    /// x of each lifeline.
    private let places: [FlowParty: Double]
    private let width: Double
    private var y = FlowDrawing.top
    private var seconds = 0.0
    private var parts: [HTML] = []

    /// - Parameters:
    ///   - base: address of the console in the world.
    ///   - style: a style sheet for a drawing that stands alone; empty within a page of ours.
    static func svg(_ chart: FlowChart, base: String, style: String = "") -> HTML {
        var drawing = FlowDrawing(chart, base: base)
        for row in chart.rows { drawing.draw(row) }
        return drawing.whole(style)
    }

    private init(_ chart: FlowChart, base: String) {
        (self.chart, self.base) = (chart, base)
        var x = Self.margin + 70
        var places: [FlowParty: Double] = [:]
        for (index, party) in chart.parties.enumerated() {
            places[party] = x
            x += Self.room(between: index, and: index + 1, of: chart)
        }
        self.places = places
        let wide = chart.rows.map(Self.noteWidth).max() ?? 0
        width = max(max(x, Self.margin + 160) - (chart.parties.count > 1 ? 40 : 0) + 30, wide + 8)
    }

    /// Of wide system fonts; narrower ones leave some room.
    private static func noteWidth(_ row: FlowChart.Row) -> Double {
        guard case .note(let note, _) = row else { return 0 }
        return noteWidth(lines(of: note))
    }

    private static func noteWidth(_ lines: [String]) -> Double {
        Double(lines.map(\.count).max() ?? 1) * 7 + 16
    }

    /// The sentence as it was: whoever looks wants its numbers.
    private static func lines(of note: FlowChart.Note) -> [String] {
        wrapped(note.isRefusal ? note.full : note.text)
    }

    /// Enough for the labels between two neighbours, and for what is noted at the first.
    private static func room(between one: Int, and other: Int, of chart: FlowChart) -> Double {
        guard other < chart.parties.count else { return 150 }
        let pair: Set = [chart.parties[one], chart.parties[other]]
        let needed = chart.rows.map { row -> Double in
            guard case .arrow(let arrow, _) = row, [arrow.from, arrow.to].allSatisfy(pair.contains) else {
                return 0
            }
            return Double(arrow.label.count + (arrow.times > 1 ? 6 : 0)) * character + 28
        }
        return min(max(needed.max() ?? 0, columns.lowerBound), columns.upperBound)
    }

    private func x(_ party: FlowParty) -> Double { places[party] ?? Self.margin }

    private mutating func draw(_ row: FlowChart.Row) {
        switch row {
        case .arrow(let arrow, let entry): draw(arrow, entry)
        case .note(let note, let entry): draw(note, entry)
        case .clockMove(let text, let entry): drawMove(text, entry)
        }
    }

    private mutating func draw(_ arrow: FlowChart.Arrow, _ entry: Int) {
        let isAnswer = arrow.kind == .answer
        seconds += arrow.pause
        // Time that people notice is seen.
        let space = arrow.pause >= 1 ? min(96, 14 * Double((1 + arrow.pause).exponent)) : 0
        if space > 0 { drawPause(arrow.pause, space) }
        y += isAnswer ? 24 : 30
        let (from, to) = (x(arrow.from), x(arrow.to))
        let look: HTML = "arrow \(arrow.kind.rawValue)\(arrow.isRefused ? " refused" : "")"
        let times = arrow.times > 1 ? " ×\(arrow.times)" : ""
        let reach = abs(to - from)
        let room =
            reach == 0 ? Int(Self.columns.lowerBound / Self.character) : Int((reach - 16) / Self.character)
        let label = Self.fitting(arrow.label, room - times.count) + times
        let line: HTML =
            from == to
            ? "<path d=\"M\(n(from)) \(n(y - 8))h26v8h-20\"/>"
            : "<path d=\"M\(n(from)) \(n(y))H\(n(to + (to > from ? -2 : 2)))\"/>"
        let head = Self.head(x: from == to ? from + 6 : to + (to > from ? -2 : 2), y: y, isLeft: to <= from)
        let middle = from == to ? from + 34 : (from + to) / 2
        let anchor: HTML = from == to ? "start" : "middle"
        if !isAnswer {
            parts.append("<text class=\"time\" x=\"4\" y=\"\(n(y + 4))\">\(Self.time(seconds))</text>")
        }
        parts.append(
            """
            <a href="\(base)/journal/\(entry)" class="\(look)"><title>\(arrow.full)</title>\(line)\(head)\
            <text x="\(n(middle))" y="\(n(y - 5))" text-anchor="\(anchor)">\(label)</text></a>
            """)
    }

    private mutating func draw(_ note: FlowChart.Note, _ entry: Int) {
        let lines = Self.lines(of: note)
        let wide = Self.noteWidth(lines)
        let left = min(max(x(note.party) - wide / 2, 4), width - wide - 4)
        let look: HTML = note.isRefusal ? "note refused" : "note"
        let height = Double(lines.count) * 15 + 8
        y += 8
        let text = lines.enumerated().map { index, line in
            "<tspan x=\"\(n(left + 8))\" y=\"\(n(y + 15 + Double(index) * 15))\">\(line)</tspan>" as HTML
        }
        parts.append(
            """
            <a href="\(base)/journal/\(entry)" class="\(look)"><title>\(note.full)</title>\
            <rect x="\(n(left))" y="\(n(y))" width="\(n(wide))" height="\(n(height))" rx="3"/>\
            <text>\(text)</text></a>
            """)
        y += height
    }

    private mutating func drawMove(_ text: String, _ entry: Int) {
        y += 14
        let line = text.beginning(90)
        parts.append(
            """
            <a href="\(base)/journal/\(entry)" class="move"><rect x="\(n(Self.margin))" y="\(n(y))" \
            width="\(n(width - Self.margin - 4))" height="24"/>\
            <text x="\(n((width + Self.margin) / 2))" y="\(n(y + 16))" text-anchor="middle">\(line)</text></a>
            """)
        y += 26
    }

    private mutating func drawPause(_ seconds: Double, _ space: Double) {
        y += space
        parts.append(
            "<text class=\"pause\" x=\"4\" y=\"\(n(y - space / 2 + 6))\">\(Self.time(seconds)) later</text>")
    }

    private func whole(_ style: String) -> HTML {
        let height = y + 64
        let lines = chart.parties.map { party in
            "<path class=\"life\" d=\"M\(n(x(party))) 40V\(n(y + 22))\"/>" as HTML
        }
        let boxes = chart.parties.flatMap { [box($0, 10), box($0, y + 22)] }
        let more: HTML =
            chart.omitted == 0
            ? ""
            : "<text class=\"time\" x=\"4\" y=\"\(n(y + 18))\">\(chart.omitted) more steps are not drawn</text>"
        let sheet: HTML = style.isEmpty ? "" : "<style>\(HTML(markup: style))</style>"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" class="diagram" width="\(n(width))" height="\(n(height))" \
            viewBox="0 0 \(n(width)) \(n(height))" role="group" aria-label="Sequence diagram">\(sheet)
            \(lines)
            \(boxes)
            \(parts)
            \(more)
            </svg>
            """
    }

    private func box(_ party: FlowParty, _ top: Double) -> HTML {
        let name = Self.fitting(party.name, 22)
        let wide = max(76, Double(name.count) * 7.4 + 18)
        return """
            <g class="party \(party.kind.rawValue.replacing(" ", with: "-"))"><rect x="\(n(x(party) - wide / 2))" y="\(n(top))" \
            width="\(n(wide))" height="30" rx="4"/><text x="\(n(x(party)))" y="\(n(top + 20))" text-anchor="middle">\(name)</text></g>
            """
    }

    private static func head(x: Double, y: Double, isLeft: Bool) -> HTML {
        let back = isLeft ? x + 8 : x - 8
        return "<path class=\"head\" d=\"M\(n(x)) \(n(y))L\(n(back)) \(n(y - 4))V\(n(y + 4))Z\"/>"
    }

    private static func fitting(_ text: String, _ room: Int) -> String {
        guard text.count > max(room, 8) else { return text }
        let kept = max(room, 8) - 1
        // The end of a path says more than its middle.
        return text.prefix(kept / 3) + "…" + text.suffix(kept - kept / 3)
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.count + word.count >= noteCharacters {
                lines.append(String(word.prefix(60)))
            } else {
                lines[lines.count - 1] = last.isEmpty ? String(word.prefix(60)) : last + " " + word
            }
        }
        return lines.count <= 8 ? lines : Array(lines.prefix(7)) + ["…"]
    }

    /// `0.004 s`, `12 s`, `5 min`
    private static func time(_ seconds: Double) -> String {
        if seconds >= 90 { return "\(Int(saturating: seconds / 60, .toNearestOrAwayFromZero)) min" }
        if seconds >= 10 { return "\(Int(saturating: seconds, .toNearestOrAwayFromZero)) s" }
        let thousandths = Int(saturating: max(0, seconds) * 1000, .toNearestOrAwayFromZero)
        let digits = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits + " s"
    }

    private func n(_ number: Double) -> HTML { Self.n(number) }

    /// A coordinate, to the nearest half.
    private static func n(_ number: Double) -> HTML {
        let halves = Int(saturating: number * 2, .toNearestOrAwayFromZero)
        return halves.isMultiple(of: 2) ? "\(halves / 2)" : "\(halves / 2).5"
    }
}
