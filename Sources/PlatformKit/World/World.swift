package import SQLite

/// One isolated set of users, devices and keys, with its own time, chance, mail and journal.
///
/// A value holds references only. The dispatcher makes one for each request, whose ``services`` write journal events that
/// carry the request's id.
package struct World: Sendable {
    package let name: String
    package let database: Database
    package private(set) var services: Services
    package let clock: WorldClock
    package let outbox: OutboxStore
    package let journal: Journal
    package let people: PersonStore
    let streams: EntropyStreams

    /// - Parameter forward: passes a mail on to relay and folder, where they are set.
    init(
        name: String, database: Database, clock: WorldClock, streams: EntropyStreams, keys: KeyStore,
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
        people = PersonStore(database: database)
        let entropy = streams.entropy
        services = Services(
            clock: WallClock { clock.now },
            entropy: entropy,
            outbox: Outbox { message in
                let sent = try outbox.add(
                    message, at: clock.now, token: entropy.identifier(for: "kit.message"))
                forward(sent, journal)
            },
            journal: JournalNotes { _, _, _ in },
            keys: KeyRing(signing: keys.signing, published: keys.keys),
            memo: Memo())
        services.journal = notes(platform: nil, correlation: nil)
    }

    /// This world while it serves one request of `platform`: what it notes carries the request's id.
    func serving(_ correlation: String, platform: String?) -> World {
        var world = self
        world.services.journal = notes(platform: platform, correlation: correlation)
        return world
    }

    private func notes(platform: String?, correlation: String?) -> JournalNotes {
        JournalNotes { [journal, clock] event, subject, explanation in
            journal.append(
                JournalEntry(
                    .event, at: clock.now, platform: platform, correlation: correlation, event: event,
                    subject: subject, explanation: explanation))
        }
    }

    /// Whether someone listens to this world or waits in it.
    var isWatched: Bool { journal.isWatched || outbox.bell.isWatched }

    /// Sends everyone home who waits for something in this world.
    func close() {
        journal.close()
        outbox.bell.close()
    }

    /// Puts the content of `image` in the place of everything, in the one transaction that the database makes of it.
    func restore(_ image: DatabaseImage) throws {
        try database.restore(image)
        services.memo.empty()
        outbox.bell.ring()
    }
}
