import Synchronization

/// The pen of a platform: events that belong to the request it is serving, and a remark on its answer.
package struct JournalNotes: Sendable {
    /// An event before it is an entry.
    package struct Event: Sendable {
        /// What happened, in a few words.
        package let name: String
        /// Whom it is about.
        package let user: String?
        /// A full sentence.
        package let explanation: String
        var subjects: [Subject] = []
        var departures: [Departure] = []
    }

    /// Name of the platform whose pen it is; nil for the house's.
    let platform: String?
    private let write: @Sendable (Event) -> Void
    private let remark: JournalRemark?

    init(
        platform: String? = nil, remark: JournalRemark? = nil, write: @escaping @Sendable (Event) -> Void
    ) {
        (self.platform, self.remark, self.write) = (platform, remark, write)
    }

    package func event(_ event: String, about user: String? = nil, _ explanation: String) {
        write(Event(name: event, user: user, explanation: explanation))
    }

    /// An event that brought messages, or called somebody.
    package func event(
        _ event: String, about user: String?, _ explanation: String, departures: [Departure]
    ) {
        write(Event(name: event, user: user, explanation: explanation, departures: departures))
    }

    func event(_ event: Event) { write(event) }

    /// Says what the answer means where its status does not: a check that failed is a success on the wire. It stands in the entry of
    /// the request, as the explanation of a refusal does.
    package func explain(_ explanation: String) { remark?.add(explanation) }

    /// Says whom the request is about. Whom its events are about need not be said again.
    package func concern(_ user: String) { remark?.add(Subject(.user, user)) }

    /// Says what the request is about, where no turn does: see ``Traced``.
    package func concern(_ subject: Subject) { remark?.add(subject) }
}

/// What a platform said of its answer to one request, and what the request was about.
final class JournalRemark: Sendable {
    /// More than so many of a kind are a list, not what a request is about.
    private static let limit = 8
    private static let departureLimit = 32

    struct Said {
        var text: String?
        var subjects: [Subject] = []
        var departures: [Departure] = []
    }

    /// Whom the route of the request is meant for.
    let audience: Audience?
    private let said = Mutex(Said())

    init(_ audience: Audience? = nil) { self.audience = audience }

    var all: Said { said.withLock { $0 } }
    var text: String? { all.text }

    func add(_ subject: Subject) {
        said.withLock { said in
            guard !said.subjects.contains(subject),
                said.subjects.count(where: { $0.kind == subject.kind }) < Self.limit
            else { return }
            said.subjects.append(subject)
        }
    }

    func add(_ departure: Departure) {
        said.withLock { if $0.departures.count < Self.departureLimit { $0.departures.append(departure) } }
    }

    func add(_ explanation: String) {
        said.withLock { $0.text = $0.text.map { $0 + " " + explanation } ?? explanation }
    }
}
