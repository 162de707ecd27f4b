package import Essentials
package import SQLite

/// One change of a world: a transaction with its consequences.
///
/// A refusal that is thrown takes everything back, but for what ``kept(_:_:)`` says of it. Events, mails, callbacks and rings leave
/// after the commit, and not at all when the turn comes to nothing.
package final class Turn {
    package let db: Connection
    package let now: Date
    let core: WorldCore
    private let strikes: FaultStrikes?
    private let remark: JournalRemark?
    fileprivate var consequences = Consequences()
    /// What a refusal leaves behind.
    fileprivate var keeping: [(Turn) throws -> Void] = []

    fileprivate init(_ db: Connection, _ now: Date, _ world: World) {
        (self.db, self.now, core) = (db, now, world.core)
        (strikes, remark) = (world.strikes, world.remark)
    }

    /// What a turn that was taken back would have sent was not struck either.
    fileprivate func takeBackStrikes() {
        for strike in consequences.strikes { strikes?.takeBack(strike) }
    }

    /// The refusal, to be thrown at once: the turn starts over and does `keep` alone, such as counting a wrong PIN. Who catches it on
    /// its way and throws it on may have more kept.
    ///
    ///     throw turn.kept(AcmeRefusal.codeRejected(triesLeft: left)) { try $0.db.update(enrolment) }
    package func kept<Refused: Error>(_ refusal: Refused, _ keep: @escaping (Turn) throws -> Void) -> Refused
    {
        keeping.append(keep)
        return refusal
    }

    /// Says what the request is about, also when the turn is taken back; outside of a request, what the turn's events are about.
    package func concern(_ subjects: [Subject]) {
        guard let remark else { return consequences.subjects += subjects }
        for subject in subjects { remark.add(subject) }
    }

    /// Tells the journal.
    ///
    /// - Parameters: what happened in a few words, whom it is about, and a full sentence.
    package func note(_ event: String, about subject: String? = nil, _ explanation: String) {
        consequences.notes.append(Consequences.Note(event: event, subject: subject, explanation: explanation))
    }

    /// Puts a mail, text message or push into the outbox.
    package func send(_ message: Message) throws {
        let strike = strikes?.strike(on: message)
        if let strike { consequences.strikes.append(strike) }
        consequences.messages += try core.insert(message, strike, at: now, in: db)
    }

    /// Tells the outbox that a code, or the link that carries it, is used up.
    package func spend(code: String, sentTo address: String) throws {
        try OutboxStore.noteUse(of: code, sentTo: address, at: now, in: db)
    }

    /// Calls somebody's back end.
    package func call(_ callback: Callback) { consequences.callbacks.append(callback) }

    /// Wakes those who wait for the platform's state to change; see ``Bell/ring(about:)``.
    ///
    /// - Parameter topics: nil for everybody.
    package func ring(about topics: Set<String>? = nil) {
        consequences.isRung = true
        guard let topics else { return consequences.topics = nil }
        consequences.topics?.formUnion(topics)
    }

    /// Forgets what was derived from what this turn changes: the values of the world's memo whose names begin with `prefix`.
    package func forget(_ prefix: String) {
        core.services.memo.forget(prefix)
        consequences.forgotten.append(prefix)
    }
}

/// What a turn leads to once it is committed.
fileprivate struct Consequences: Sendable {
    struct Note: Sendable {
        let event: String
        let subject: String?
        let explanation: String
    }

    var notes: [Note] = []
    /// What the notes are about, outside of a request.
    var subjects: [Subject] = []
    var messages: [Letter] = []
    /// Of faults, at messages.
    var strikes: [FaultStrikes.Strike] = []
    var callbacks: [Callback] = []
    var isRung = false
    /// Nil when everybody is to wake up.
    var topics: Set<String>? = []
    var forgotten: [String] = []
}

extension World {
    /// Makes one change, whole or not at all.
    ///
    /// - Throws: what `body` throws; the turn is taken back then, but for what ``Turn/kept(_:_:)`` said.
    package func change<Value: Sendable>(_ body: (Turn) throws -> Value) throws -> Value {
        let services = services
        var forgotten: [String] = []
        // Also after a turn that was taken back: meanwhile something may have been derived from what it had written.
        defer { for prefix in forgotten { services.memo.forget(prefix) } }
        let (outcome, consequences) = try database.write { db -> (Result<Value, any Error>, Consequences) in
            // Read once the turn has its place among the others: time never runs backwards from one turn to the next.
            let now = services.clock.now()
            let turn = Turn(db, now, self)
            do {
                defer { forgotten = turn.consequences.forgotten }
                return (.success(try body(turn)), turn.consequences)
            } catch {
                turn.takeBackStrikes()
                if turn.keeping.isEmpty { throw error }
                try db.startOver()
                let rest = Turn(db, now, self)
                // Whom the turn wanted to wake hears of what is kept of it.
                (rest.consequences.isRung, rest.consequences.topics) = (
                    turn.consequences.isRung, turn.consequences.topics
                )
                for keep in turn.keeping { try keep(rest) }
                forgotten += rest.consequences.forgotten
                return (.failure(error), rest.consequences)
            }
        }
        follow(consequences)
        return try outcome.get()
    }

    private func follow(_ consequences: Consequences) {
        let services = services
        for note in consequences.notes {
            services.journal.event(
                JournalNotes.Event(
                    name: note.event, user: note.subject, explanation: note.explanation,
                    subjects: consequences.subjects))
        }
        for message in consequences.messages {
            remark?.add(Departure(message.sent))
            core.announce(message)
        }
        if consequences.strikes.contains(where: { $0.delivery.fate == .late }) { core.deliverLateMessages() }
        for callback in consequences.callbacks { services.callbacks.send(callback) }
        if consequences.isRung { services.changes.ring(about: consequences.topics) }
    }
}
