package import SQLite
import Upstream

/// One isolated set of users, devices and keys, with its own time, chance, mail and journal.
///
/// A value is two references. The dispatcher makes one for each request, whose ``services`` write journal events that
/// carry the request's id.
package struct World: Sendable {
    let core: WorldCore
    /// Nil outside of a request.
    private var served: Services?
    /// What is said of the answer to the request that is served; nil outside of a request.
    private(set) var remark: JournalRemark?
    /// What the faults do to the request that is served; nil where they leave it alone.
    private(set) var strikes: FaultStrikes?
    /// Where the request that is served is passed on to; nil where the platform answers.
    private(set) var passing: Passing?

    package var name: String { core.name }
    package var database: Database { core.database }
    package var clock: WorldClock { core.clock }
    /// Bytes of what it holds beside what it shares with other worlds; the journal is not counted.
    package var size: Int { get throws { try core.database.size } }
    package var outbox: OutboxStore { core.outbox }
    package var journal: Journal { core.journal }
    package var people: PersonStore { PersonStore(database: core.database) }
    var streams: EntropyStreams { core.streams }

    package var services: Services { served ?? core.services }

    init(_ core: WorldCore) { self.core = core }

    /// This world while it serves one request of `platform`: what it notes carries the request's id.
    func serving(
        _ correlation: String, platform: String?, _ token: ControlToken, _ strikes: FaultStrikes? = nil,
        for audience: Audience? = nil, passing: Passing? = nil
    ) -> World {
        let remark = JournalRemark(audience)
        let notes = core.journal.notes(clock, platform: platform, correlation: correlation, remark: remark)
        var world = self
        world.remark = remark
        world.passing = passing
        let services = core.services.serving(notes, core.callbacks.callbacks(notes), token)
        world.strikes = strikes
        world.served = strikes.map { services.struck(by: $0, in: core) } ?? services
        return world
    }

    /// This world while something is to be otherwise about the tokens that are signed in it.
    package func changing(_ tokens: TokenAlterations) -> World {
        var world = self
        world.served = services.replacing(tokenAlterations: tokens)
        return world
    }

    /// Has a platform do what no request asks of it, such as an action of the console: faults about mails, callbacks and tokens strike
    /// there too.
    package func acting<Value>(for platform: String, _ body: (World) throws -> Value) throws -> Value {
        guard !core.faults.isEmpty,
            let strikes = FaultStrikes(
                departuresOf: platform, by: core.faults, services.clock, services.entropy)
        else {
            return try body(self)
        }
        var world = self
        world.strikes = strikes
        world.served = services.struck(by: strikes, in: core)
        let value = try body(world)
        try strikes.keep(in: database)
        if let explanation = strikes.explanation { services.journal.event("fault struck", explanation) }
        return value
    }

    /// Whether someone listens to this world or waits in it.
    var isWatched: Bool {
        journal.isWatched || outbox.bell.isWatched || core.services.changes.isWatched
    }

    /// Puts a mail that somebody brought into the outbox, once for each of `messages`, and hands it on; all of them or none.
    ///
    /// - Parameter raw: its source.
    package func receive(_ messages: [Message], raw: [UInt8]) throws -> [SentMessage] {
        let letters = try database.write { db in
            let now = services.clock.now()
            return try messages.map { try outbox.insert($0, raw: raw, at: now, in: db) }
        }
        for letter in letters { core.announce(letter) }
        return letters.map(\.sent)
    }

    /// Puts a text message that somebody brought into the outbox.
    package func receive(_ message: Message) throws -> SentMessage {
        let letter = try database.write { db in try core.insert(message, at: services.clock.now(), in: db) }
        core.announce(letter)
        return letter.sent
    }

    /// Ends every wait for something in this world.
    func close() {
        core.callbacks.cancel()
        journal.close()
        outbox.bell.close()
        core.services.changes.close()
    }

    /// After ``close()``: waits until `deadline` for the callbacks under way.
    func finishCallbacks(until deadline: ContinuousClock.Instant) {
        let left = ContinuousClock.now.duration(to: deadline) / Duration.seconds(1)
        core.callbacks.stop(seconds: max(0, left))
    }
}
