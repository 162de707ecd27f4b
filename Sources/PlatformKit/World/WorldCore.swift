import SQLite

/// What all values of one ``World`` share.
final class WorldCore: Sendable {
    let name: String
    let database: Database
    let clock: WorldClock
    let outbox: OutboxStore
    let journal: Journal
    let streams: EntropyStreams
    let callbacks: CallbackSender
    /// As they are outside of a request.
    let services: Services

    /// - Parameter forward: passes a mail on to relay and folder, where they are set.
    init(
        name: String, database: Database, clock: WorldClock, streams: EntropyStreams, keys: KeyStore,
        memo: MemoTable, waits: WaitNotice?,
        forward: @escaping @Sendable (SentMessage, Journal) -> Void
    ) {
        self.name = name
        self.database = database
        self.clock = clock
        self.streams = streams
        let journal = Journal()
        self.journal = journal
        let outbox = OutboxStore(database: database, bell: Bell())
        self.outbox = outbox
        let entropy = streams.entropy
        let callbacks = CallbackSender()
        self.callbacks = callbacks
        let notes = journal.notes(clock, platform: nil, correlation: nil)
        let memo = Memo(memo)
        services = Services(
            clock: WallClock(now: { clock.now }, issuingTime: { clock.issuingTime }),
            entropy: entropy,
            outbox: Outbox { message in
                let token = entropy.identifier(for: "kit.message")
                forward(try outbox.add(message, at: clock.now, token: token), journal)
            },
            journal: notes,
            callbacks: callbacks.callbacks(notes),
            web: .client(waits: waits),
            keys: keys.ring(entropy, memo), memo: memo, changes: Bell())
    }
}

extension Journal {
    /// A pen whose events belong to one request, or to none.
    func notes(
        _ clock: WorldClock, platform: String?, correlation: String?, remark: JournalRemark? = nil
    ) -> JournalNotes {
        JournalNotes(
            write: { event, subject, explanation in
                self.append(
                    JournalEntry(
                        .event, at: clock.now, platform: platform, correlation: correlation, event: event,
                        subject: subject, explanation: explanation))
            },
            explain: { remark?.add($0) })
    }
}
