import Essentials
import PlatformKit

/// A flow as a sequence of arrows and notes between lifelines: what every drawing of it is made from.
struct FlowChart: Sendable {
    /// Steps that are drawn, the first of a flow; the rest is counted.
    static let stepLimit = 200

    struct Arrow: Sendable {
        enum Kind: String, Sendable, Encodable { case request, answer, mail, sms, push, callback, message }

        let kind: Kind
        let from: FlowParty
        let to: FlowParty
        /// With ids and times replaced by their kinds: `POST /hanko/passcode/login/finalize`.
        let label: String
        /// The same as it was.
        let full: String
        var isRefused = false
        /// How often it came without anything between.
        var times = 1
        /// Seconds that passed before it, in truth.
        var pause = 0.0
    }

    struct Note: Sendable {
        let party: FlowParty
        let text: String
        let full: String
        let isRefusal: Bool
    }

    enum Row: Sendable {
        case arrow(Arrow, entry: Int)
        case note(Note, entry: Int)
        /// The world's clock was moved: a sentence.
        case clockMove(String, entry: Int)
    }

    let flow: Flow
    let rows: [Row]
    /// From left to right.
    let parties: [FlowParty]
    /// Steps that are not drawn.
    let omitted: Int

    init(_ flow: Flow) {
        self.flow = flow
        let words = FlowWords(flow)
        let steps = Self.withoutRepeats(Array(flow.steps.prefix(Self.stepLimit)))
        var marks = steps.flatMap { Self.marks(of: $0.step, times: $0.times, flow, words) }
        marks += flow.moves.map { move in
            Mark(
                at: move.instant, id: move.id,
                row: .clockMove(FlowWords.timeless(move.explanation ?? ""), entry: move.id))
        }
        rows = Self.withPauses(marks.sorted { ($0.at, $0.id, $0.rank) < ($1.at, $1.id, $1.rank) })
        parties = Self.parties(in: rows)
        omitted = max(0, flow.steps.count - Self.stepLimit)
    }

    /// Steps that came several times with nothing between are one.
    private static func withoutRepeats(_ steps: [FlowStep]) -> [(step: FlowStep, times: Int)] {
        var kept: [(step: FlowStep, times: Int)] = []
        for step in steps {
            if let last = kept.last, step.repeats(last.step) {
                kept[kept.count - 1].times += 1
            } else {
                kept.append((step, 1))
            }
        }
        return kept
    }

    /// The longest way to the left first: who begins stands on the left, who is only asked on the right.
    private static func parties(in rows: [Row]) -> [FlowParty] {
        let all = rows.flatMap { row -> [FlowParty] in
            switch row {
            case .arrow(let arrow, _):
                arrow.kind == .answer ? [arrow.to, arrow.from] : [arrow.from, arrow.to]
            case .note(let note, _): [note.party]
            case .clockMove: []
            }
        }.unique
        let rank: (FlowParty) -> Int = { party in
            switch party.kind {
            case .phone, .app: 0
            case .browser: 1
            case .backEnd: 2
            case .platform: party.name == "sample app" ? 3 : 4
            case .mailbox: 5
            case .receiver: 6
            }
        }
        return all.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(
            \.element)
    }

    private static func withPauses(_ marks: [Mark]) -> [Row] {
        var before = marks.first?.at
        return marks.map { mark in
            defer { before = mark.at }
            guard case .arrow(var arrow, let entry) = mark.row, let before else { return mark.row }
            arrow.pause = (mark.at - before) / .seconds(1)
            return .arrow(arrow, entry: entry)
        }
    }
}

/// A row with its place in time.
private struct Mark {
    let at: ContinuousClock.Instant
    /// Of the entry: what came at the same moment stays in the order of the journal.
    let id: Int
    var rank = 0
    let row: FlowChart.Row
}

extension FlowChart {
    private static func marks(of step: FlowStep, times: Int, _ flow: Flow, _ words: FlowWords) -> [Mark] {
        var marks: [Mark] = []
        if let exchange = step.exchange {
            let request = Arrow(
                kind: .request, from: step.from, to: step.to,
                label: "\(exchange.method) \(words.target(exchange.target))",
                full: "\(exchange.method) \(exchange.target)", times: times)
            marks.append(Mark(at: step.start, id: 0, row: .arrow(request, entry: step.entry.id)))
        }
        if let message = step.entry.message {
            let arrow = Arrow(
                kind: .message, from: step.from, to: step.to, label: words.message(message),
                full: message.body.text ?? "")
            marks.append(Mark(at: step.start, id: step.entry.id, row: .arrow(arrow, entry: step.entry.id)))
        }
        for event in step.toldEvents { marks += self.marks(of: event, in: step, flow, words) }
        for departure in step.entry.departures where step.exchange != nil {
            let arrow = arrow(departure, from: step.to, words)
            marks.append(Mark(at: step.end, id: step.entry.id, row: .arrow(arrow, entry: step.entry.id)))
        }
        if let exchange = step.exchange { marks += answer(exchange, of: step, words) }
        return marks
    }

    private static func answer(
        _ exchange: JournalEntry.Exchange, of step: FlowStep, _ words: FlowWords
    ) -> [Mark] {
        let status = EntryLine.status(exchange)
        let arrow = Arrow(
            kind: .answer, from: step.to, to: step.from, label: status, full: status,
            isRefused: step.isRefused)
        var marks = [Mark(at: step.end, id: step.entry.id, rank: 1, row: .arrow(arrow, entry: step.entry.id))]
        if let why = step.entry.explanation {
            let note = Note(party: step.to, text: words.plain(why), full: why, isRefusal: step.isRefused)
            marks.append(
                Mark(at: step.end, id: step.entry.id, rank: 2, row: .note(note, entry: step.entry.id)))
        }
        return marks
    }

    private static func marks(
        of event: JournalEntry, in step: FlowStep, _ flow: Flow, _ words: FlowWords
    ) -> [Mark] {
        guard let departure = event.departures.first else {
            let from = FlowParty(platform: event.platform)
            let note = Note(
                party: from, text: words.plain(event.event ?? ""),
                full: event.explanation ?? event.event ?? "", isRefusal: false)
            return [Mark(at: event.instant, id: event.id, row: .note(note, entry: event.id))]
        }
        let from = step.sender(of: departure)
        guard departure.kind == .callback else {
            return event.departures.map { departure in
                Mark(
                    at: event.instant, id: event.id,
                    row: .arrow(arrow(departure, from: from, words), entry: event.id))
            }
        }
        // A receiver in this world has a step of its own.
        if flow.receives(departure, from: from) { return [] }
        let call = arrow(departure, from: from, words)
        let status = departure.status.map(String.init) ?? "none"
        let answer = Arrow(
            kind: .answer, from: call.to, to: from, label: status, full: status,
            isRefused: departure.status.map { $0 >= 400 } ?? true)
        return [
            Mark(at: event.instant, id: event.id, row: .arrow(call, entry: event.id)),
            Mark(at: event.instant, id: event.id, rank: 1, row: .arrow(answer, entry: event.id)),
        ]
    }

    private static func arrow(_ departure: Departure, from: FlowParty, _ words: FlowWords) -> Arrow {
        let isCall = departure.kind == .callback
        let receiver = isCall ? FlowParty(.receiver, departure.host) : .mailbox
        return Arrow(
            kind: Arrow.Kind(rawValue: departure.kind.rawValue) ?? .mail, from: from, to: receiver,
            label: words.departure(departure),
            full:
                "\(departure.kind.rawValue)\(departure.from.map { " from \($0)" } ?? "") to \(departure.to): "
                + departure.title)
    }
}

extension Flow {
    /// Whether a callback went to a platform of this world, which told the journal of it.
    fileprivate func receives(_ departure: Departure, from: FlowParty) -> Bool {
        steps.contains { step in
            step.from == from && step.exchange.map { departure.to.hasSuffix($0.target) } ?? false
        }
    }
}

extension Departure {
    /// Host and port of a callback's URL.
    fileprivate var host: String {
        to.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first.map(String.init) ?? to
    }
}
