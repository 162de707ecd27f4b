import PlatformKit

/// A flow as lines of text that are the same in every run of the same test, so that a file can say what a login is.
///
/// A line for each request, with those that its receiver made meanwhile indented below it, and below each what it caused. A request
/// that came several times with the same answer, as polls do, has one line.
struct FlowText {
    private let words: FlowWords
    private let flow: Flow
    private var lines: [String] = []
    private var told: [FlowStep] = []
    private var number = 0

    /// One line for each thing that happened, with a line feed behind it.
    static func text(of flow: Flow) -> String {
        var text = FlowText(flow)
        text.tell()
        return text.lines.map { $0 + "\n" }.joined()
    }

    private init(_ flow: Flow) {
        self.flow = flow
        words = FlowWords(flow)
    }

    private mutating func tell() {
        let steps = flow.steps.prefix(FlowChart.stepLimit)
        var open: [FlowStep] = []
        var moves = flow.moves[...]
        for step in steps {
            while let move = moves.first, move.instant <= step.start {
                lines.append("-- \(FlowWords.timeless(move.explanation ?? "clock moved"))")
                moves.removeFirst()
            }
            if step.entry.message != nil {
                // It may be sent while a request is served, or just after it: no matter.
                tell(step, depth: 0)
                continue
            }
            open.removeAll { $0.end < step.end || $0.to != step.from }
            if told.contains(where: { step.repeats($0) }) { continue }
            told.append(step)
            tell(step, depth: open.count)
            open.append(step)
        }
        if flow.steps.count > steps.count {
            lines.append("… and \(flow.steps.count - steps.count) more steps")
        }
    }

    private mutating func tell(_ step: FlowStep, depth: Int) {
        let indent = String(repeating: "  ", count: depth)
        if let exchange = step.exchange {
            number += 1
            lines.append(
                "\(number). \(indent)\(step.from.name) → \(step.to.name): \(exchange.method) "
                    + "\(words.target(exchange.target)) → \(EntryLine.status(exchange))")
        }
        let margin = (step.exchange == nil && step.entry.message == nil ? "" : "   ") + indent
        for event in step.toldEvents where event.departures.isEmpty {
            lines.append(
                "\(margin)\(FlowParty(platform: event.platform).name): \(words.plain(event.event ?? ""))")
        }
        if let message = step.entry.message {
            lines.append("\(margin)\(step.from.name) → \(step.to.name): \(words.message(message))")
        }
        for departure in step.departures {
            let to = departure.kind == .callback ? "callback receiver" : "mailbox"
            lines.append(
                "\(margin)\(step.sender(of: departure).name) → \(to): \(words.departure(departure))")
        }
        if step.isRefused, let why = step.entry.explanation {
            lines.append("\(margin)refused: \(words.plain(why))")
        }
    }
}
