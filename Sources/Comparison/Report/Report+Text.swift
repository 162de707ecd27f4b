import Essentials

extension Report {
    /// For a terminal: what differs first, and how much agrees at the end.
    package var text: String {
        var lines: [String] = []
        for route in routes where route.hasSomethingToSay {
            lines.append(route.name)
            lines += route.lines
            lines.append("")
        }
        if !made.isEmpty {
            lines.append(Self.madeTitle)
            lines += made.flatMap { ["  \($0.sentence)", "    \($0.line)"] } + [""]
        }
        lines += needs.flatMap { ["\($0.sentence)", "    \($0.line)", ""] }
        lines += notes
        if !notes.isEmpty { lines.append("") }
        lines += platforms.map(coverage)
        return lines.joined(separator: "\n") + "\n"
    }

    package static let madeTitle = "Made for this recording"

    /// What is to be said of the recording and the rules as a whole.
    package var notes: [String] {
        elsewhere.map { service in
            "\(service.count == 1 ? "One request" : "\(service.count) requests") to \(service.origin): no service that is emulated."
        } + idleRules.map { "The rule in line \($0) allows nothing that is there." }
    }
}

extension Report.Route {
    var hasSomethingToSay: Bool { !seen.isEmpty || !notComparable.isEmpty }

    fileprivate var lines: [String] {
        seen.map { seen in
            seen.allowed.map { "  allowed: \(seen.difference.sentence) (\($0))" }
                ?? "  \(seen.difference.sentence)\(Self.numbers(seen.numbers))"
        } + notComparable.map { "  not comparable: \($0.reason)\(Self.numbers($0.numbers))" }
    }

    /// ` (#3)`, ` (#3 and 4 more)`
    static func numbers(_ numbers: [Int]) -> String {
        let first = numbers.first.map { "#\($0)" } ?? ""
        return " (\(first)\(numbers.count > 1 ? " and \(numbers.count - 1) more" : ""))"
    }
}
