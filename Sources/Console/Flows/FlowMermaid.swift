/// A flow in the language of Mermaid, for documentation. Source: Mermaid 11, “Sequence diagrams”, with its entity codes.
enum FlowMermaid {
    static func text(of chart: FlowChart) -> String {
        let ids = Dictionary(
            chart.parties.enumerated().map { ($0.element, "p\($0.offset + 1)") },
            uniquingKeysWith: { first, _ in first })
        var lines = ["sequenceDiagram"]
        for party in chart.parties {
            let word =
                party.kind == .phone || party.kind == .app || party.kind == .browser ? "actor" : "participant"
            lines.append("    \(word) \(ids[party] ?? "p0") as \(escaped(party.name))")
        }
        lines += chart.rows.map { "    " + line($0, ids, chart.parties.count) }
        if chart.omitted > 0, let last = chart.parties.last, let id = ids[last] {
            lines.append("    Note over \(id): \(chart.omitted) more steps")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func line(_ row: FlowChart.Row, _ ids: [FlowParty: String], _ count: Int) -> String {
        switch row {
        case .arrow(let arrow, _):
            let sign = arrow.kind != .answer ? "->>" : arrow.isRefused ? "--x" : "-->>"
            let times = arrow.times > 1 ? " (\(arrow.times) times)" : ""
            return
                "\(ids[arrow.from] ?? "p0")\(sign)\(ids[arrow.to] ?? "p0"): \(escaped(arrow.label + times))"
        case .note(let note, _): return "Note over \(ids[note.party] ?? "p0"): \(escaped(note.text))"
        case .clockMove(let text, _):
            return "Note over \(count > 1 ? "p1,p\(count)" : "p1"): \(escaped(text))"
        }
    }

    /// What would end a line, begin a comment or an entity, or be read as markup, as a code.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "#", ";", "<", ">", "&", "%", "\"", "\\", "`": escaped += "#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || 0x2028...0x2029 ~= scalar.value:
                escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        // An empty text is no message, and “wrap:” before one is an order.
        return escaped.isEmpty ? " " : escaped.replacing(/^(no)?wrap:/, with: "")
    }
}
