import Essentials
import HTTP
import PlatformKit

/// A request with what it caused, or an event that no request caused: one step of a flow.
struct FlowStep: Sendable {
    /// The request, or the first of the events.
    let entry: JournalEntry
    /// Oldest first.
    let events: [JournalEntry]
    let from: FlowParty
    let to: FlowParty
    let start: ContinuousClock.Instant
    let end: ContinuousClock.Instant
    /// What ties it to the steps of its flow, whatever time lies between.
    private(set) var own: Set<Subject> = []
    /// What ties it to steps that are near: people, and things that live on.
    private(set) var lasting: Set<Subject> = []

    /// Nil for what tells nothing of a platform, such as a world's reset.
    init?(_ group: EntryGroup) {
        events = group.events
        if let request = group.request, let exchange = request.exchange, request.platform != nil {
            entry = request
            from = FlowParty(senderOf: request, exchange)
            end = request.instant
            start = end - .seconds(exchange.milliseconds.isFinite ? exchange.milliseconds / 1000 : 0)
        } else if let first = group.events.first, let platform = first.platform ?? Self.source(first) {
            entry = first
            from = first.isFromOutside ? FlowParty(.backEnd) : FlowParty(platform: platform)
            (start, end) = (first.instant, group.events.last?.instant ?? first.instant)
        } else {
            return nil
        }
        let source = FlowParty(platform: entry.platform ?? Self.source(entry))
        to =
            if entry.isFromOutside { .mailbox } else if entry.upstream == nil { source } else {
                FlowParty(receiverOf: entry)
            }
        for told in [entry] + events { add(told) }
    }

    /// A message of a web socket.
    ///
    /// - Parameter opening: the request that opened it; nil when it is no longer among the latest.
    init?(message entry: JournalEntry, of opening: JournalEntry?) {
        guard let message = entry.message else { return nil }
        let platform = FlowParty(platform: entry.platform)
        let client = FlowParty(senderOf: opening ?? entry, opening?.exchange)
        (from, to) = message.direction == .received ? (client, platform) : (platform, client)
        (self.entry, events, start, end) = (entry, [], entry.instant, entry.instant)
        add(entry)
    }

    var exchange: JournalEntry.Exchange? { entry.exchange }

    /// Messages and calls, oldest first.
    var departures: [Departure] {
        (exchange == nil ? [] : entry.departures) + events.flatMap(\.departures)
    }

    /// Who sent a message, or called.
    func sender(of departure: Departure) -> FlowParty {
        departure.from == nil ? FlowParty(platform: entry.platform) : from
    }

    /// Whom it is about, as it was told.
    var people: [String] {
        ([entry] + events).flatMap { $0.users + [$0.subject].compactMap(\.self) }.unique
    }

    var isRefused: Bool { exchange.map { $0.isRefused || $0.status == 0 } ?? false }

    /// Its events, those of one name once: several of them are as good as one.
    var toldEvents: [JournalEntry] {
        var names: Set<String> = []
        return events.filter { !$0.departures.isEmpty || names.insert($0.event ?? "").inserted }
    }

    /// Whether nothing tells it from the same request before: what polls do.
    func repeats(_ other: FlowStep) -> Bool {
        guard let exchange, let before = other.exchange, isPlain, other.isPlain else { return false }
        return exchange.method == before.method && exchange.target == before.target
            && exchange.status == before.status && from == other.from && to == other.to
    }

    private var isPlain: Bool {
        events.isEmpty && entry.departures.isEmpty && entry.explanation == nil
    }

    /// An event that only its things say to be about a platform.
    private static func source(_ event: JournalEntry) -> String? {
        event.subjects.isEmpty && !event.isFromOutside ? nil : "understudy"
    }

    private mutating func add(_ entry: JournalEntry) {
        if let user = entry.subject { lasting.insert(Subject(.user, user.lowercased())) }
        for subject in entry.subjects { add(subject) }
        for departure in entry.departures where departure.from != nil { add(Subject(.user, departure.to)) }
    }

    mutating func add(_ subject: Subject) {
        if subject.kind == .user {
            lasting.insert(Subject(.user, subject.id.lowercased()))
        } else if subject.kind.isOneFlow {
            own.insert(subject)
        } else {
            lasting.insert(subject)
        }
    }
}

extension JournalEntry {
    /// Whether it tells of a mail that somebody brought.
    fileprivate var isFromOutside: Bool { departures.first?.from != nil }
}

extension FlowStep {
    /// Adds the things and people that others report and this one only names: in its path, its query, its body or its tokens.
    mutating func addNamed(_ things: [String: Subject], people: Set<String>) {
        guard let exchange, own.isEmpty || lasting.isEmpty else { return }
        let names = FlowNames.of(exchange)
        for text in names.places { if let thing = things[text] { add(thing) } }
        if own.isEmpty { for text in names.texts { if let thing = things[text] { add(thing) } } }
        guard !lasting.contains(where: { $0.kind == .user }) else { return }
        for name in names.users where people.contains(name.lowercased()) { add(Subject(.user, name)) }
    }
}
