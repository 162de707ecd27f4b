import PlatformKit

/// A flow in a list, as the API gives it.
struct FlowJSON: Encodable {
    struct Thing: Encodable {
        let kind: String
        let id: String

        init(_ subject: Subject) { (kind, id) = (subject.kind.rawValue, subject.id) }
    }

    let id: Int
    let title: String
    let startedAt: String
    let endedAt: String
    let platforms: [String]
    let users: [String]
    /// What only this flow is about.
    let subjects: [Thing]
    let requests: Int
    let refused: Int
    /// Ids of its entries in the journal.
    let entries: [Int]

    init(_ flow: Flow) {
        id = flow.id
        title = flow.title
        let times = flow.steps.map(\.entry.at)
        startedAt = Timestamp.text(times[0])
        endedAt = Timestamp.text(times[times.count - 1])
        platforms = flow.platforms
        users = flow.users
        subjects = flow.things.map(Thing.init)
        requests = flow.requestCount
        refused = flow.refusedCount
        entries = flow.entryIDs
    }
}

/// A flow with all that happened in it.
struct FlowChartJSON: Encodable {
    struct Party: Encodable {
        let name: String
        let kind: FlowParty.Kind
    }

    struct Row: Encodable {
        /// `request`, `answer`, `mail`, `sms`, `push`, `callback`, `message`, `note` or `clock`.
        let kind: String
        /// Names of parties; a note has one alone.
        let from: String?
        let to: String?
        /// Ids and times are replaced by what they are.
        let text: String
        let full: String
        let refused: Bool
        /// How often it came with nothing between.
        let times: Int
        /// Seconds of real time since the row before.
        let pause: Double
        /// In the journal.
        let entry: Int
    }

    let flow: FlowJSON
    let parties: [Party]
    let rows: [Row]
    /// Steps beyond the limit, which are not among the rows.
    let omitted: Int

    init(_ chart: FlowChart) {
        flow = FlowJSON(chart.flow)
        parties = chart.parties.map { Party(name: $0.name, kind: $0.kind) }
        rows = chart.rows.map(Row.init)
        omitted = chart.omitted
    }
}

extension FlowChartJSON.Row {
    init(_ row: FlowChart.Row) {
        switch row {
        case .arrow(let arrow, let entry):
            self.init(
                kind: arrow.kind.rawValue, from: arrow.from.name, to: arrow.to.name, text: arrow.label,
                full: arrow.full, refused: arrow.isRefused, times: arrow.times,
                pause: (arrow.pause * 1000).rounded() / 1000, entry: entry)
        case .note(let note, let entry):
            self.init(
                kind: "note", from: note.party.name, to: nil, text: note.text, full: note.full,
                refused: note.isRefusal, times: 1, pause: 0, entry: entry)
        case .clockMove(let text, let entry):
            self.init(
                kind: "clock", from: nil, to: nil, text: text, full: text, refused: false, times: 1, pause: 0,
                entry: entry)
        }
    }
}
