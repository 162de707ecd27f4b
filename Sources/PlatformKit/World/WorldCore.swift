import Essentials
import HTTPClient
package import SQLite
import Upstream

/// What all values of one ``World`` share.
final class WorldCore: Sendable {
    let name: String
    let database: Database
    let clock: WorldClock
    let outbox: OutboxStore
    let journal: Journal
    let streams: EntropyStreams
    let callbacks: CallbackSender
    let faults: FaultBook
    let upstreams: UpstreamBook
    /// What this world and others gave out.
    let issued: IssuedIDs
    /// Has done what the world has to do by itself; does not wait.
    let attend: @Sendable () -> Void
    /// As they are outside of a request.
    let services: Services
    /// Whom the world may call by itself.
    let gate: CallGate
    /// Passes a mail on to relay and folder, where they are set.
    private let forward: @Sendable (Letter, Journal) -> Void

    /// - Parameters:
    ///   - outboxes: what those of all worlds may have; nil where messages are kept in a file.
    ///   - trust: which servers our own calls believe over TLS.
    ///   - forward: passes a mail on to relay and folder, where they are set.
    init(
        name: String, database: Database, clock: WorldClock, streams: EntropyStreams, keys: KeyStore,
        memo: MemoTable, faults: [FaultRule], upstreams: UpstreamBook, calls: CallsFixture?,
        waits: WaitNotice?, trust: HTTPClient.Trust,
        journal: Journal, outboxes: KeptBudget?, issued: IssuedIDs,
        attend: @escaping @Sendable () -> Void,
        forward: @escaping @Sendable (Letter, Journal) -> Void
    ) {
        self.name = name
        self.database = database
        self.clock = clock
        self.streams = streams
        self.faults = FaultBook(faults)
        self.upstreams = upstreams
        self.journal = journal
        let outbox = OutboxStore(database: database, bell: Bell(), budget: outboxes)
        self.outbox = outbox
        let entropy = streams.entropy
        let gate = CallGate(calls)
        self.gate = gate
        let callbacks = CallbackSender(trust: trust, gate: gate)
        self.callbacks = callbacks
        self.forward = forward
        self.attend = attend
        self.issued = issued
        let notes = journal.notes(clock, platform: nil, correlation: nil)
        let memo = Memo(memo)
        services = Services(
            clock: WallClock(now: { clock.now }, issuingTime: { clock.issuingTime }),
            entropy: entropy,
            outbox: Outbox { message in
                let token = entropy.identifier(for: "kit.message")
                let letter = try database.write { db in
                    try outbox.insert(message, at: clock.now, token: token, in: db)
                }
                outbox.announce(letter.sent)
                forward(letter, journal)
            },
            journal: notes,
            callbacks: callbacks.callbacks(notes),
            web: .client(waits: waits, trust: trust, gate: gate),
            keys: keys.ring(entropy, memo), memo: memo, changes: Bell())
    }

    /// Keeps a message, in the caller's transaction. ``announce(_:)`` follows it.
    func insert(_ message: Message, at now: Date, in db: Connection) throws -> Letter {
        try outbox.insert(message, at: now, token: services.entropy.identifier(for: "kit.message"), in: db)
    }

    /// Tells of a message that is kept: to those who wait, to relay and folder.
    func announce(_ letter: Letter) {
        outbox.announce(letter.sent)
        forward(letter, journal)
    }
}

extension Journal {
    /// A pen whose events belong to one request, or to none.
    func notes(
        _ clock: WorldClock, platform: String?, correlation: String?, remark: JournalRemark? = nil
    ) -> JournalNotes {
        JournalNotes(platform: platform, remark: remark) { event in
            if let user = event.user { remark?.add(Subject(.user, user)) }
            var entry = JournalEntry(
                .event, at: clock.now, platform: platform, correlation: correlation, event: event.name,
                subject: event.user, explanation: event.explanation)
            entry.subjects = event.subjects
            entry.departures = event.departures
            self.append(entry)
        }
    }
}

/// What a world may have to do by itself at a time, such as a phone's ping. It is looked for when the world is opened or gets another
/// content, and when its clock is moved.
package struct WorldDuties: Sendable {
    let areThere: @Sendable (Connection) throws -> Bool
    let attend: @Sendable (String) -> Void

    /// - Parameter attend: is given the name of the world; must not wait.
    package init(
        areThere: @escaping @Sendable (Connection) throws -> Bool,
        attend: @escaping @Sendable (String) -> Void
    ) {
        (self.areThere, self.attend) = (areThere, attend)
    }
}
